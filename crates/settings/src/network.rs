//! Lists of networks in the settings: `10.0.0.0/8`, or a single address.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, de::Error};

/// Returns the loopback networks of IPv4 and IPv6.
pub(super) fn loopback() -> Vec<IpNet> {
    vec![IpNet::new_assert(Ipv4Addr::new(127, 0, 0, 0).into(), 8), IpNet::from(IpAddr::from(Ipv6Addr::LOCALHOST))]
}

/// Reads a list. An address without a prefix length is a network of one address.
pub(super) fn list<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<IpNet>, D::Error> {
    let texts = Vec::<String>::deserialize(deserializer)?;
    let networks: Option<Vec<IpNet>> = texts.iter().map(|text| parse(text)).collect();
    networks.ok_or_else(|| D::Error::custom("not a network"))
}

fn parse(text: &str) -> Option<IpNet> {
    let network = text.parse::<IpNet>().ok();
    network.or_else(|| text.parse::<IpAddr>().ok().map(IpNet::from))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_alone_is_a_network_of_one() {
        assert_eq!(parse("10.0.0.7"), "10.0.0.7/32".parse().ok());
        assert_eq!(parse("fd00::7"), "fd00::7/128".parse().ok());
    }

    #[test]
    fn a_network_keeps_its_length() {
        assert_eq!(parse("10.0.0.0/8"), "10.0.0.0/8".parse().ok());
    }

    #[test]
    fn a_name_or_a_wrong_length_is_no_network() {
        assert_eq!(parse("proxy.example.com"), None);
        assert_eq!(parse("10.0.0.0/33"), None);
    }
}
