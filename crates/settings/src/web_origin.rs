//! Origins of web pages: scheme, host and port.

/// The origin of a page, in the one form in which it can be compared: letters small, the port written out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin {
    is_https: bool,
    host: String,
    port: u16,
}

impl WebOrigin {
    /// An origin as browsers write it, with nothing behind the port. `null` is none.
    pub fn parse(text: &str) -> Option<Self> {
        let (scheme, authority) = text.split_once("://")?;
        let is_https = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return None,
        };
        let (host, port) = match authority.rsplit_once(':').filter(|(_, port)| !port.ends_with(']')) {
            Some((host, "")) => (host, None),
            Some((host, port)) => (host, Some(port.parse().ok()?)),
            None => (authority, None),
        };
        let port = port.unwrap_or(if is_https { 443 } else { 80 });
        is_host(host).then(|| Self { is_https, host: host.to_ascii_lowercase(), port })
    }

    /// That of an address, whatever its path is.
    pub fn of_url(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        Self::of_host(scheme, rest.split('/').next()?)
    }

    /// That of the host of a request.
    pub fn of_host(scheme: &str, host: &str) -> Option<Self> {
        Self::parse(&format!("{scheme}://{host}"))
    }

    /// `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.is_https { "https" } else { "http" }
    }

    /// Whether its pages come over TLS.
    pub fn is_https(&self) -> bool {
        self.is_https
    }
}

/// A name, as loosely as names of machines are written, or an address.
fn is_host(text: &str) -> bool {
    let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
    }
}
