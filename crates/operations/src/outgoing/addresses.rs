//! Which addresses are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Where requests may go besides public addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rules {
    /// To private networks.
    pub allow_private: bool,
    /// To this machine.
    pub allow_loopback: bool,
}

/// What an address leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Public,
    Loopback,
    Private,
    /// Nowhere that anybody has a reason to ask: metadata services of clouds, groups, samples, tunnels.
    Special,
}

impl Rules {
    /// Whether an address may be connected to.
    pub(super) fn allow(self, address: IpAddr) -> bool {
        let place = match address {
            IpAddr::V4(address) => place_v4(address),
            IpAddr::V6(address) => place_v6(address),
        };
        match place {
            Place::Public => true,
            Place::Loopback => self.allow_loopback,
            Place::Private => self.allow_private,
            Place::Special => false,
        }
    }
}

/// By the registry of special IPv4 addresses.
fn place_v4(address: Ipv4Addr) -> Place {
    match address.octets() {
        [127, ..] => Place::Loopback,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => Place::Private,
        [0, ..] | [169, 254, ..] | [198, 18..=19, ..] | [224..=255, ..] => Place::Special,
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => Place::Special,
        _ => Place::Public,
    }
}

/// By the registry of special IPv6 addresses. IPv4 in the clothes of IPv6 is what it is.
fn place_v6(address: Ipv6Addr) -> Place {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return place_v4(mapped);
    }
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => Place::Loopback,
        // They lead through a gateway to an IPv4 address, whatever that may be there.
        [0x0064, 0xff9b, ..] | [0x2002, ..] => Place::Special,
        [0xfc00..=0xfdff, ..] => Place::Private,
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => Place::Special,
        [0x2000..=0x3fff, ..] => Place::Public,
        _ => Place::Special,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: Rules = Rules { allow_private: false, allow_loopback: false };

    fn allows(rules: Rules, address: &str) -> bool {
        rules.allow(address.parse().expect("an address"))
    }

    #[test]
    fn public_addresses_are_allowed() {
        for public in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.255", "2606:4700::1111"] {
            assert!(allows(STRICT, public), "{public}");
        }
        assert!(allows(STRICT, "::ffff:1.1.1.1"));
    }

    #[test]
    fn all_others_are_refused() {
        let v4 = "0.0.0.0 0.1.2.3 10.0.0.1 100.64.0.1 127.0.0.1 127.1.2.3 169.254.169.254 172.16.0.1 172.31.255.255 \
            192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.51.100.1 203.0.113.1 224.0.0.1 240.0.0.1 \
            255.255.255.255";
        for v4 in v4.split_whitespace() {
            let [a, b, c, d] = v4.parse::<Ipv4Addr>().expect("an address").octets();
            let six_to_four = format!("2002:{a:02x}{b:02x}:{c:02x}{d:02x}::1");
            for form in
                [v4.to_owned(), format!("::ffff:{v4}"), format!("::{v4}"), format!("64:ff9b::{v4}"), six_to_four]
            {
                assert!(!allows(STRICT, &form), "{form}");
            }
        }
        let v6 = ":: ::1 ::1.1.1.1 64:ff9b::1.1.1.1 64:ff9b:1::1.1.1.1 2002:101:101::1 100::1 2001::1 2001:1ff::1 2001:db8::1 3fff::1 5f00::1 fc00::1 \
            fdff::1 fe80::1 fec0::1 ff02::1 4000::1 ::ffff:0:1.1.1.1";
        for v6 in v6.split_whitespace() {
            assert!(!allows(STRICT, v6), "{v6}");
        }
    }

    #[test]
    fn each_rule_opens_its_own_door() {
        let private = Rules { allow_private: true, ..STRICT };
        let loopback = Rules { allow_loopback: true, ..STRICT };
        for address in ["10.0.0.1", "192.168.1.1", "100.64.0.1", "fd00::1", "::ffff:10.0.0.1"] {
            assert!(allows(private, address) && !allows(loopback, address), "{address}");
        }
        for address in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert!(allows(loopback, address) && !allows(private, address), "{address}");
        }
        for never in ["169.254.169.254", "0.0.0.0", "224.0.0.1", "fe80::1", "::", "64:ff9b::127.0.0.1"] {
            assert!(!allows(Rules { allow_private: true, allow_loopback: true }, never), "{never}");
        }
    }
}
