//! The client of a sign-in: its device in a few words, and the network that it is in.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use database::accounts::sessions::SessionClient;

use super::Method;
use crate::{Caller, House, Via};

/// The most characters of a user agent that are stored.
const AGENT_CHARS: usize = 300;

/// Browsers by a part of their user agent. The first that matches counts: many claim to be others, too.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("HeadlessChrome/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("CrOS", "ChromeOS"),
    ("Linux", "Linux"),
];

/// Returns what the database stores about the client of a sign-in.
pub(super) fn of(house: &House, caller: &Caller, method: Method) -> SessionClient {
    let country = match caller.via {
        Via::Network { address, country } => house.geo.origin(address, country).country,
        Via::CommandLine | Via::Job => None,
    };
    SessionClient {
        address: Some(caller.audit_address()),
        country: country.map(|country| country.as_str().to_owned()),
        agent: caller.agent.as_ref().map(|agent| agent.chars().take(AGENT_CHARS).collect()),
        method: Some(method.as_str().to_owned()),
    }
}

/// Returns the device of a user agent in a few words.
pub fn device(agent: &str) -> String {
    let first =
        |known: &[(&str, &'static str)]| known.iter().find(|(part, _)| agent.contains(part)).map(|(_, name)| *name);
    match (first(&BROWSERS), first(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(one), None) | (None, Some(one)) => one.to_owned(),
        (None, None) => "Unknown device".to_owned(),
    }
}

/// Returns the network that tells one place from another: the country, or the part of the address that a provider
/// gives to many.
pub(super) fn network(caller: &Caller, client: &SessionClient) -> String {
    match (&client.country, caller.via) {
        (Some(country), _) => country.clone(),
        (None, Via::Network { address, .. }) => match address.to_canonical() {
            IpAddr::V4(address) => format!("{}/16", Ipv4Addr::from_bits(address.to_bits() >> 16 << 16)),
            IpAddr::V6(address) => format!("{}/32", Ipv6Addr::from_bits(address.to_bits() >> 96 << 96)),
        },
        (None, Via::CommandLine | Via::Job) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_device_is_a_browser_on_a_system() {
        for (agent, expected) in [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            (
                "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 \
                 Safari/537.36 Edg/140.0.0.0",
                "Edge on Windows",
            ),
            (
                "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1",
                "Safari on iPhone",
            ),
            ("curl/8.5.0", "curl"),
            ("", "Unknown device"),
        ] {
            assert_eq!(device(agent), expected);
        }
    }
}
