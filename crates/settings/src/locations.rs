//! URLs and locations with the defaults filled in.

use std::net::SocketAddr;
use std::path::PathBuf;

use super::{DatabaseUrl, Settings};

impl Settings {
    /// Returns the URL of the web pages, without a trailing slash.
    ///
    /// With port 0 in `listen`, the caller sets `public_url` when the port is known.
    pub fn public_url(&self) -> String {
        match &self.public_url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => {
                let scheme = if self.tls.certificate.is_some() { "https" } else { "http" };
                format!("{scheme}://{}", reachable(self.listen))
            }
        }
    }

    /// Returns the URL of the API, without a trailing slash.
    pub fn api_url(&self) -> String {
        self.surface_url(self.api_host.as_deref(), "/api")
    }

    /// Returns the URL of downloads, without a trailing slash.
    pub fn download_url(&self) -> String {
        self.surface_url(self.download_host.as_deref(), "/dl")
    }

    /// Returns whether responses tell browsers to use TLS only. This requires `public_url`: a test server at
    /// `localhost` would lock browsers out of all other servers there.
    pub fn insists_on_tls(&self) -> bool {
        self.hsts && self.public_url.as_deref().is_some_and(|url| url.starts_with("https://"))
    }

    /// Returns the URL of the database, `sqlite://path` or `postgres://...`.
    pub fn database_location(&self) -> DatabaseUrl {
        self.database_url.clone().unwrap_or_else(|| {
            let file = self.data.join("packhouse.db");
            DatabaseUrl::new(format!("sqlite://{}", file.display()))
        })
    }

    /// Returns the location of content, a folder or `s3://bucket[/prefix]`.
    pub fn blobs_location(&self) -> String {
        self.blobs.clone().unwrap_or_else(|| self.data.join("blobs").display().to_string())
    }

    /// Returns the path of the key that seals secrets at rest.
    pub fn master_key_path(&self) -> PathBuf {
        self.master_key_file.clone().unwrap_or_else(|| self.data.join("master.key"))
    }

    /// Returns the URL of the API or of downloads. A separate host has the scheme and port of `public_url`, because one
    /// listener or one proxy serves both.
    fn surface_url(&self, host: Option<&str>, path: &str) -> String {
        let public = self.public_url.as_deref().and_then(WebAddress::parse);
        match (host, public) {
            (None, _) => format!("{}{path}", self.public_url()),
            (Some(host), None) => format!("https://{host}"),
            (Some(host), Some(public)) => match public.port {
                Some(port) => format!("{}://{host}:{port}", public.scheme),
                None => format!("{}://{host}", public.scheme),
            },
        }
    }
}

/// Returns an address that a client on this machine can connect to: `0.0.0.0` becomes `localhost`.
fn reachable(listen: SocketAddr) -> String {
    if listen.ip().is_unspecified() { format!("localhost:{}", listen.port()) } else { listen.to_string() }
}

/// The parts of an `http` or `https` URL without credentials, query and fragment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WebAddress<'a> {
    /// `http` or `https`.
    pub(super) scheme: &'a str,
    /// A host name or an IP address, IPv6 in brackets.
    pub(super) host: &'a str,
    /// The port, if it is explicit.
    pub(super) port: Option<u16>,
}

impl<'a> WebAddress<'a> {
    /// Parses a URL. Returns `None` for anything else.
    pub(super) fn parse(text: &'a str) -> Option<Self> {
        let (scheme, rest) = text.split_once("://")?;
        let forbidden = |c: char| c.is_whitespace() || c.is_control() || "?#@\\".contains(c);
        if !matches!(scheme, "http" | "https") || rest.contains(forbidden) {
            return None;
        }
        let authority = rest.split('/').next()?;
        let (host, port) = match authority.rsplit_once(':') {
            Some((host, port)) if !port.ends_with(']') => (host, Some(port.parse().ok()?)),
            _ => (authority, None),
        };
        let bracketed = host.strip_prefix('[').and_then(|inner| inner.strip_suffix(']'));
        let is_address = bracketed.is_some_and(|inner| inner.parse::<std::net::Ipv6Addr>().is_ok());
        (is_address || is_host_name(host)).then_some(Self { scheme, host, port })
    }
}

/// Returns whether `text` is only a host name, without scheme, port or path.
pub(super) fn is_host_name(text: &str) -> bool {
    let is_label = |label: &str| {
        (1..=63).contains(&label.len())
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    text.len() <= 253 && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with_public_url(url: &str) -> Settings {
        Settings { public_url: Some(url.to_owned()), ..Settings::default() }
    }

    #[test]
    fn without_hosts_the_surfaces_are_paths() {
        let settings = Settings::default();
        assert_eq!(settings.public_url(), "http://127.0.0.1:8080");
        assert_eq!(settings.api_url(), "http://127.0.0.1:8080/api");
        assert_eq!(settings.download_url(), "http://127.0.0.1:8080/dl");
    }

    #[test]
    fn a_slash_at_the_end_is_not_doubled() {
        assert_eq!(with_public_url("https://example.com/").api_url(), "https://example.com/api");
    }

    #[test]
    fn a_certificate_makes_it_https() {
        let mut settings = Settings::default();
        settings.tls.certificate = Some(PathBuf::from("house.pem"));
        assert_eq!(settings.public_url(), "https://127.0.0.1:8080");
    }

    #[test]
    fn every_address_is_shown_as_this_machine() {
        let listen = SocketAddr::from(([0, 0, 0, 0], 80));
        let settings = Settings { listen, ..Settings::default() };
        assert_eq!(settings.public_url(), "http://localhost:80");
    }

    #[test]
    fn a_host_of_its_own_is_https_at_its_root() {
        let settings = Settings {
            api_host: Some("api.example.com".to_owned()),
            download_host: Some("dl.example.com".to_owned()),
            ..Settings::default()
        };
        assert_eq!(settings.api_url(), "https://api.example.com");
        assert_eq!(settings.download_url(), "https://dl.example.com");
    }

    #[test]
    fn a_host_of_its_own_has_scheme_and_port_of_the_public_url() {
        let settings =
            Settings { api_host: Some("api.localhost".to_owned()), ..with_public_url("http://localhost:8080") };
        assert_eq!(settings.api_url(), "http://api.localhost:8080");
    }

    #[test]
    fn places_are_in_the_data_folder_unless_set() {
        let settings = Settings { data: PathBuf::from("/srv/house"), ..Settings::default() };
        assert_eq!(settings.database_location().reveal(), "sqlite:///srv/house/packhouse.db");
        assert_eq!(settings.blobs_location(), "/srv/house/blobs");
        assert_eq!(settings.master_key_path(), PathBuf::from("/srv/house/master.key"));
    }

    #[test]
    fn places_that_are_set_are_kept() {
        let settings = Settings {
            database_url: Some(DatabaseUrl::new("postgres://db/x")),
            blobs: Some("s3://bucket".to_owned()),
            master_key_file: Some(PathBuf::from("/run/key")),
            ..Settings::default()
        };
        assert_eq!(settings.database_location().reveal(), "postgres://db/x");
        assert_eq!(settings.blobs_location(), "s3://bucket");
        assert_eq!(settings.master_key_path(), PathBuf::from("/run/key"));
    }

    #[test]
    fn an_address_is_taken_apart() {
        let address = WebAddress::parse("https://[::1]:8443/house").expect("an address");
        assert_eq!(address, WebAddress { scheme: "https", host: "[::1]", port: Some(8443) });
        let address = WebAddress::parse("http://[::1]").expect("an address");
        assert_eq!(address, WebAddress { scheme: "http", host: "[::1]", port: None });
    }

    #[test]
    fn what_is_no_plain_web_address_is_refused() {
        assert_eq!(WebAddress::parse("ftp://example.com"), None);
        assert_eq!(WebAddress::parse("example.com"), None);
        assert_eq!(WebAddress::parse("https://"), None);
        assert_eq!(WebAddress::parse("https://example.com?x=1"), None);
        assert_eq!(WebAddress::parse("https://ada:hush@example.com"), None);
        assert_eq!(WebAddress::parse("https://example.com:port"), None);
    }
}
