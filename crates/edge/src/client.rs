//! Finds the client that sent a request through proxies.

use std::net::{IpAddr, Ipv4Addr};

use http::{HeaderMap, HeaderName};
use ipnet::IpNet;
use model::access::Country;

/// The remote end of a connection.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Peer {
    /// The IP address of the socket, with mapped IPv4 addresses unwrapped.
    pub address: IpAddr,
    /// Whether the connection to this server is encrypted.
    pub(crate) is_tls: bool,
}

/// The trusted proxies.
#[derive(Debug, Clone, Default)]
pub struct Proxies {
    /// Their networks.
    pub trusted: Vec<IpNet>,
    /// The header in which they send the client's country.
    pub country_header: Option<HeaderName>,
}

impl Proxies {
    /// Returns the country that a proxy sent. A repeated header is ignored: the client may have sent one of the two.
    fn country(&self, headers: &HeaderMap) -> Option<Country> {
        let mut values = headers.get_all(self.country_header.as_ref()?).iter();
        match (values.next(), values.next()) {
            (Some(value), None) => Country::parse(value.to_str().ok()?.trim()),
            _ => None,
        }
    }
}

/// The client behind the peer.
#[derive(Debug, Clone)]
pub struct Client {
    /// The IP address for limits and logs.
    pub address: IpAddr,
    /// The country, if a proxy sent it.
    pub country: Option<Country>,
    /// Whether the request came through a trusted proxy.
    pub is_proxied: bool,
    /// Whether the client is known to have sent the request over TLS.
    pub is_https: bool,
    /// Whether several clients may share the address: loopback, a proxy, or an unknown address.
    pub is_shared: bool,
    /// Whether secrets are safe in transit: encrypted, or never outside this machine.
    pub may_send_secrets: bool,
    /// Whether this server encrypts the connection.
    pub is_tls: bool,
}

impl Default for Client {
    fn default() -> Self {
        Self {
            address: UNKNOWN,
            country: None,
            is_proxied: false,
            is_https: false,
            is_shared: true,
            may_send_secrets: false,
            is_tls: false,
        }
    }
}

impl Client {
    /// Finds the client. Trusts only the headers of trusted proxies, and walks forwarded addresses from the right.
    pub(crate) fn find(peer: Peer, headers: &HeaderMap, proxies: &Proxies) -> Self {
        let is_trusted = |address: &IpAddr| proxies.trusted.iter().any(|network| network.contains(address));
        if !is_trusted(&peer.address) {
            let may_send_secrets = peer.is_tls || peer.address.is_loopback();
            let Peer { address, is_tls } = peer;
            let is_shared = address.is_loopback();
            return Self {
                address,
                country: None,
                is_proxied: false,
                is_https: is_tls,
                is_shared,
                may_send_secrets,
                is_tls,
            };
        }
        let forwarded: Vec<&str> = list(headers, "x-forwarded-for").collect();
        let mut address = peer.address;
        for hop in forwarded.iter().rev() {
            // An invalid hop is an unknown client, never the proxy itself.
            address = parse_hop(hop).unwrap_or(UNKNOWN);
            if !is_trusted(&address) {
                break;
            }
        }
        let is_https = list(headers, "x-forwarded-proto").last().map(|scheme| scheme.eq_ignore_ascii_case("https"));
        let is_unforwarded = || forwarded.is_empty() && (peer.is_tls || peer.address.is_loopback());
        Self {
            address,
            country: proxies.country(headers),
            is_proxied: true,
            is_https: is_https.unwrap_or(peer.is_tls && forwarded.is_empty()),
            is_shared: address.is_loopback() || address == UNKNOWN || is_trusted(&address),
            may_send_secrets: is_https.unwrap_or_else(is_unforwarded),
            is_tls: peer.is_tls,
        }
    }
}

/// The address of an unknown client.
const UNKNOWN: IpAddr = IpAddr::V4(Ipv4Addr::UNSPECIFIED);

fn list<'h>(headers: &'h HeaderMap, name: &str) -> impl Iterator<Item = &'h str> {
    headers
        .get_all(name)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|value| value.split(','))
        .map(str::trim)
}

/// Parses an IP address, with or without a port.
fn parse_hop(text: &str) -> Option<IpAddr> {
    let socket = || text.parse::<std::net::SocketAddr>().map(|socket| socket.ip());
    let bare = text.trim_start_matches('[').trim_end_matches(']');
    bare.parse::<IpAddr>().or_else(|_| socket()).ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn client(peer: &str, headers: &[(&'static str, &'static str)]) -> Client {
        let headers =
            headers.iter().map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let peer = Peer { address: peer.parse().expect("an address"), is_tls: false };
        let trusted = ["10.0.0.0/8", "127.0.0.1/32"].map(|network| network.parse().expect("a network")).to_vec();
        let proxies = Proxies { trusted, country_header: Some(HeaderName::from_static("cf-ipcountry")) };
        Client::find(peer, &headers.collect(), &proxies)
    }

    fn find(peer: &str, headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let client = client(peer, headers);
        (client.address.to_string(), client.may_send_secrets)
    }

    #[test]
    fn a_country_is_told_by_proxies_only_and_once() {
        let country = |peer, headers: &[_]| client(peer, headers).country.map(|country| country.as_str().to_owned());
        let told = [("x-forwarded-for", "1.2.3.4"), ("cf-ipcountry", "de")];
        assert_eq!(country("10.0.0.1", &told).as_deref(), Some("DE"));
        assert_eq!(country("9.9.9.9", &told), None);
        assert_eq!(country("10.0.0.1", &[told[0]]), None);
        assert_eq!(country("10.0.0.1", &[("cf-ipcountry", "XX")]), None);
    }

    #[test]
    fn strangers_cannot_name_another_address() {
        let headers = [("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "https")];
        assert_eq!(find("9.9.9.9", &headers), ("9.9.9.9".into(), false));
    }

    #[test]
    fn the_walk_stops_at_the_first_untrusted_hop() {
        let headers = [("x-forwarded-for", "6.6.6.6, 1.2.3.4, 10.1.1.1"), ("x-forwarded-proto", "https")];
        assert_eq!(find("10.0.0.1", &headers), ("1.2.3.4".into(), true));
        assert_eq!(find("10.0.0.1", &[("x-forwarded-for", "::ffff:1.2.3.4")]), ("1.2.3.4".into(), false));
        assert_eq!(find("10.0.0.1", &[("x-forwarded-for", "1.2.3.4, nonsense")]).0, "0.0.0.0");
        assert_eq!(find("10.0.0.1", &[("x-forwarded-for", "nonsense, [2001:db9::1]:443")]).0, "2001:db9::1");
    }

    #[test]
    fn a_proxy_that_says_http_is_believed_too() {
        assert!(!find("127.0.0.1", &[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "http")]).1);
        assert!(!find("127.0.0.1", &[("x-forwarded-for", "1.2.3.4"), ("x-forwarded-proto", "https, http")]).1);
        assert!(!find("127.0.0.1", &[("x-forwarded-proto", "http")]).1);
        assert!(find("127.0.0.1", &[]).1);
        assert!(!find("10.0.0.1", &[]).1);
    }
}
