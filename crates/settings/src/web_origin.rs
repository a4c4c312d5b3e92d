//! Origins of web pages: scheme, host and port.

/// The origin of a web page, normalized for comparison: lower case, with an explicit port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebOrigin {
    is_https: bool,
    host: String,
    port: u16,
}

impl WebOrigin {
    /// Parses an origin as browsers send it, with nothing after the port. Returns `None` for `null`.
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

    /// Returns the origin of a URL; the path does not matter.
    pub fn of_url(url: &str) -> Option<Self> {
        let (scheme, rest) = url.split_once("://")?;
        Self::of_host(scheme, rest.split('/').next()?)
    }

    /// Returns the origin for the host of a request.
    pub fn of_host(scheme: &str, host: &str) -> Option<Self> {
        Self::parse(&format!("{scheme}://{host}"))
    }

    /// Returns `http` or `https`.
    pub fn scheme(&self) -> &'static str {
        if self.is_https { "https" } else { "http" }
    }

    /// Returns whether pages of this origin are served over TLS.
    pub fn is_https(&self) -> bool {
        self.is_https
    }
}

/// Returns whether the text is a host name, by loose rules (underscores are allowed), or an IP address.
fn is_host(text: &str) -> bool {
    let address = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
    match address {
        Some(address) => address.parse::<std::net::Ipv6Addr>().is_ok(),
        None => !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-._".contains(&byte)),
    }
}
