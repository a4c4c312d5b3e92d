//! Networks that may or may not download.

use std::net::IpAddr;

use ipnet::{IpNet, Ipv4Net};

/// Allowed and blocked networks. A network in neither list is allowed, unless the list of allowed networks has entries.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Networks {
    /// If not empty, only these are allowed.
    pub white: Vec<IpNet>,
    /// These are blocked, even if `white` contains them.
    pub black: Vec<IpNet>,
}

impl Networks {
    /// Returns whether an address is allowed. IPv4-mapped IPv6 addresses count as IPv4.
    pub fn admit(&self, address: IpAddr) -> bool {
        let address = address.to_canonical();
        let is_in = |networks: &[IpNet]| networks.iter().any(|network| network.contains(&address));
        !is_in(&self.black) && (self.white.is_empty() || is_in(&self.white))
    }
}

/// Parses a network into its canonical form: a single address becomes a network of one, the bits after the prefix are
/// cleared, and IPv4-mapped IPv6 becomes IPv4.
pub fn parse_network(text: &str) -> Option<IpNet> {
    // The standard library's parser rejects leading zeros, which other parsers take for octal numbers.
    let network = match text.split_once('/') {
        None => IpNet::from(text.parse::<IpAddr>().ok()?),
        Some((address, length)) => IpNet::new(address.parse().ok()?, prefix_length(length)?).ok()?.trunc(),
    };
    Some(match network {
        IpNet::V6(mapped) if mapped.prefix_len() >= 96 => match mapped.network().to_ipv4_mapped() {
            Some(address) => IpNet::V4(Ipv4Net::new(address, mapped.prefix_len() - 96).ok()?),
            None => network,
        },
        network => network,
    })
}

/// Parses a prefix length in its canonical spelling only.
fn prefix_length(text: &str) -> Option<u8> {
    text.parse::<u8>().ok().filter(|length| length.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn networks(white: &[&str], black: &[&str]) -> Networks {
        let parse = |list: &[&str]| list.iter().map(|text| text.parse().expect("a network")).collect();
        Networks { white: parse(white), black: parse(black) }
    }

    fn admits(networks: &Networks, address: &str) -> bool {
        networks.admit(address.parse().expect("an address"))
    }

    #[test]
    fn black_wins_and_white_shuts_the_rest_out() {
        assert!(admits(&networks(&[], &[]), "1.2.3.4"));
        let some = networks(&["10.0.0.0/8", "2001:db8::/32"], &["10.1.0.0/16"]);
        assert!(admits(&some, "10.2.3.4") && admits(&some, "2001:db8::1") && admits(&some, "::ffff:10.2.3.4"));
        assert!(!admits(&some, "10.1.3.4") && !admits(&some, "11.0.0.1") && !admits(&some, "::ffff:10.1.3.4"));
        let all_but = networks(&[], &["10.0.0.0/8"]);
        assert!(admits(&all_but, "11.0.0.1") && !admits(&all_but, "10.0.0.1"));
    }

    #[test]
    fn a_network_has_one_form() {
        let form = |text| parse_network(text).map(|network| network.to_string()).unwrap_or_default();
        assert_eq!(form("10.1.2.3/8"), "10.0.0.0/8");
        assert_eq!(form("10.1.2.3"), "10.1.2.3/32");
        assert_eq!(form("2001:DB8:0::1/32"), "2001:db8::/32");
        assert_eq!(form("::1"), "::1/128");
        assert_eq!(form("::ffff:10.1.2.3/104"), "10.0.0.0/8");
        assert_eq!(form("::ffff:10.1.2.3"), "10.1.2.3/32");
        assert_eq!(form("::ffff:0:0/96"), "0.0.0.0/0");
        assert_eq!(form("::/0"), "::/0");
        for bad in [
            "",
            "10.0.0.0/33",
            "10.0.0/8",
            "010.0.0.1/8",
            "10.0.0.0/08",
            "10.0.0.0/+8",
            "::/129",
            "10.0.0.0/ 8",
            "localhost",
            "10.0.0.0/8/8",
        ] {
            assert_eq!(parse_network(bad), None, "{bad}");
        }
    }
}
