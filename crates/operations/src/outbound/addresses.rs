//! Classifies IP addresses, to tell which are public.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;

/// Exceptions for outbound requests: additional addresses that are allowed, and public ones that are not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutboundRules {
    /// Allows private networks and this machine.
    pub allow_private: bool,
    /// Never allows these networks, regardless of other rules.
    pub refused: Vec<IpNet>,
}

/// The class of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum AddressClass {
    Public,
    /// This machine, or a network of the operator.
    Inside,
    /// Addresses that no legitimate request needs: services of a cloud for its own machines, multicast groups,
    /// documentation samples, tunnels.
    Special,
}

impl OutboundRules {
    /// Returns whether an address may be connected to.
    pub(super) fn allow(&self, address: IpAddr) -> bool {
        // An IPv4 address in IPv6 form is judged as IPv4.
        let address = address.to_canonical();
        if self.refused.iter().any(|network| network.contains(&address)) {
            return false;
        }
        let place = match address {
            IpAddr::V4(address) => place_v4(address),
            IpAddr::V6(address) => place_v6(address),
        };
        match place {
            AddressClass::Public => true,
            AddressClass::Inside => self.allow_private,
            AddressClass::Special => false,
        }
    }
}

/// Classifies by the registry of special IPv4 addresses, and by addresses that large clouds use elsewhere.
fn place_v4(address: Ipv4Addr) -> AddressClass {
    match address.octets() {
        // Azure's host, Alibaba's metadata and name servers, IBM's services for machines in its cloud. Oracle's first
        // metadata address, 192.0.0.192, and the common 169.254.169.254 are in the ranges of the registry.
        [168, 63, 129, 16] | [100, 100, 100, 200] | [100, 100, 2, 136 | 138] => AddressClass::Special,
        [161, 26, ..] | [166, 8..=11, ..] => AddressClass::Special,
        [10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] | [100, 64..=127, ..] => AddressClass::Inside,
        [0, ..] | [169, 254, ..] | [198, 18..=19, ..] | [224..=255, ..] => AddressClass::Special,
        [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 51, 100, _] | [203, 0, 113, _] => AddressClass::Special,
        _ => AddressClass::Public,
    }
}

/// Classifies by the registry of special IPv6 addresses, and by private addresses that large clouds use.
fn place_v6(address: Ipv6Addr) -> AddressClass {
    match address.segments() {
        [0, 0, 0, 0, 0, 0, 0, 1] => AddressClass::Inside,
        // Metadata of Amazon, Oracle, Scaleway, Linode and Google.
        [0xfd00, 0x0ec2 | 0x00c1 | 0x0042, ..] | [0xfd00, 0xa9fe, 0xa9fe, ..] | [0xfd20, 0x00ce, ..] => {
            AddressClass::Special
        }
        // These lead through a gateway to an arbitrary IPv4 address.
        [0x0064, 0xff9b, ..] | [0x2002, ..] => AddressClass::Special,
        [0xfc00..=0xfdff, ..] => AddressClass::Inside,
        [0x2001, 0..=0x01ff | 0x0db8, ..] | [0x3fff, 0..=0x0fff, ..] => AddressClass::Special,
        [0x2000..=0x3fff, ..] => AddressClass::Public,
        _ => AddressClass::Special,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRICT: OutboundRules = OutboundRules { allow_private: false, refused: Vec::new() };
    const OPEN: OutboundRules = OutboundRules { allow_private: true, refused: Vec::new() };

    fn allows(rules: &OutboundRules, address: &str) -> bool {
        rules.allow(address.parse().expect("an address"))
    }

    #[test]
    fn public_addresses_are_allowed() {
        for public in ["1.1.1.1", "172.32.0.1", "100.128.0.1", "192.0.1.1", "223.255.255.255", "2606:4700::1111"] {
            assert!(allows(&STRICT, public), "{public}");
        }
        assert!(allows(&STRICT, "::ffff:1.1.1.1"));
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
                assert!(!allows(&STRICT, &form), "{form}");
            }
        }
        let v6 = ":: ::1 ::1.1.1.1 64:ff9b::1.1.1.1 64:ff9b:1::1.1.1.1 2002:101:101::1 100::1 2001::1 2001:1ff::1 2001:db8::1 3fff::1 5f00::1 fc00::1 \
            fdff::1 fe80::1 fec0::1 ff02::1 4000::1 ::ffff:0:1.1.1.1";
        for v6 in v6.split_whitespace() {
            assert!(!allows(&STRICT, v6), "{v6}");
        }
    }

    #[test]
    fn one_setting_opens_private_networks_and_this_machine() {
        for inside in [
            "10.0.0.1",
            "192.168.1.1",
            "100.64.0.1",
            "fd00::1",
            "::ffff:10.0.0.1",
            "127.0.0.1",
            "::1",
            "::ffff:127.0.0.1",
        ] {
            assert!(allows(&OPEN, inside) && !allows(&STRICT, inside), "{inside}");
        }
        for never in ["169.254.169.254", "0.0.0.0", "224.0.0.1", "fe80::1", "::", "64:ff9b::127.0.0.1"] {
            assert!(!allows(&OPEN, never), "{never}");
        }
    }

    #[test]
    fn nothing_opens_what_clouds_have_for_their_machines() {
        let platform = "168.63.129.16 169.254.169.254 169.254.170.2 100.100.100.200 100.100.2.136 192.0.0.192 161.26.0.10 \
            166.9.1.1 ::ffff:168.63.129.16 ::ffff:100.100.100.200 fd00:ec2::254 fd00:ec2::23 fd20:ce::254 \
            fd00:c1::a9fe:a9fe fd00:42::42 fd00:a9fe:a9fe::1 fe80::a9fe:a9fe";
        for address in platform.split_whitespace() {
            assert!(!allows(&STRICT, address) && !allows(&OPEN, address), "{address}");
        }
        for neighbour in ["168.63.129.15", "168.63.129.17", "161.25.255.255", "166.7.255.255", "166.12.0.0"] {
            assert!(allows(&STRICT, neighbour), "{neighbour}");
        }
    }

    #[test]
    fn networks_of_the_setting_are_refused_whatever_else_is_allowed() {
        let networks = ["192.0.1.0/24", "10.1.0.0/16", "2606:4700::/32"];
        let refused = networks.map(|network| network.parse().expect("a network")).to_vec();
        let rules = OutboundRules { refused, ..OPEN };
        for address in ["192.0.1.7", "::ffff:192.0.1.7", "10.1.2.3", "::ffff:10.1.2.3", "2606:4700::1111"] {
            assert!(allows(&OPEN, address) && !allows(&rules, address), "{address}");
        }
        assert!(allows(&rules, "10.2.0.1") && allows(&rules, "192.0.3.1"));
    }
}
