//! Rejects requests that a page of another site makes a browser send.
//!
//! A browser that knows a password or a cookie of this server sends it with every request, no matter which site's page
//! made it. So requests that change something are rejected if the browser reports another site's page as the origin, by
//! `Sec-Fetch-Site` or by `Origin`. Clients that are not browsers send neither header and are not affected. The check
//! happens only here, before credentials and body are read, for every URL and content type.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};

use settings::{Settings, WebOrigin};

use crate::error::{Failure, Result};

/// Reports how the requesting page is related to this server; set by browsers.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// The most characters of an origin that a response repeats.
const SHOWN: usize = 100;

/// The origins whose pages may change something on this server.
#[derive(Debug, Clone, Default)]
pub struct Sites {
    /// The origins of this server.
    own: Vec<WebOrigin>,
    /// Other origins that the operator trusts.
    allowed: Vec<WebOrigin>,
}

/// The host and scheme that a request was sent to, as reported by the client and trusted proxies.
#[derive(Debug, Clone, Copy)]
pub struct SentTo<'r> {
    /// The host, with the port if it is given.
    pub host: Option<&'r str>,
    /// Whether the client sent the request over TLS.
    pub is_https: bool,
}

impl Sites {
    /// The sites that these settings name.
    pub fn new(settings: &Settings) -> Self {
        let own = [settings.public_url(), settings.api_url(), settings.download_url()];
        Self {
            own: own.iter().filter_map(|url| WebOrigin::of_url(url)).collect(),
            allowed: settings.allowed_origins.iter().filter_map(|text| WebOrigin::parse(text)).collect(),
        }
    }

    /// Rejects a request that a page of another site made a browser send.
    pub fn check(&self, method: &Method, headers: &HeaderMap, sent_to: SentTo<'_>) -> Result<()> {
        if [Method::GET, Method::HEAD, Method::OPTIONS].contains(method) {
            return Ok(());
        }
        let (origin, site) = (SingleHeader::of(headers, &header::ORIGIN), SingleHeader::of(headers, &SEC_FETCH_SITE));
        let parsed = origin.text().and_then(WebOrigin::parse);
        if parsed.as_ref().is_some_and(|origin| self.allowed.contains(origin)) {
            return Ok(());
        }
        let is_own_page = matches!(site, SingleHeader::Absent) || matches!(site.text(), Some("same-origin" | "none"));
        let is_own_origin =
            matches!(origin, SingleHeader::Absent) || parsed.is_some_and(|origin| self.is_own(&origin, sent_to));
        if is_own_page && is_own_origin { Ok(()) } else { Err(refusal(&origin)) }
    }

    /// Whether an origin belongs to this server: a configured one, or the one that the request was sent to. A page
    /// loaded without encryption may come from anyone, so it is foreign to a request over TLS. The reverse is accepted,
    /// because a proxy may have terminated TLS without reporting it.
    fn is_own(&self, origin: &WebOrigin, sent_to: SentTo<'_>) -> bool {
        let is_of_host = || {
            let host = sent_to.host.and_then(|host| WebOrigin::of_host(origin.scheme(), host));
            host.as_ref() == Some(origin) && (origin.is_https() || !sent_to.is_https)
        };
        self.own.contains(origin) || is_of_host()
    }
}

/// The value of a header that may occur only once.
enum SingleHeader<'r> {
    Absent,
    Present(&'r HeaderValue),
    Repeated,
}

impl<'r> SingleHeader<'r> {
    fn of(headers: &'r HeaderMap, name: &HeaderName) -> Self {
        let mut values = headers.get_all(name).iter();
        match (values.next(), values.next()) {
            (None, _) => Self::Absent,
            (Some(value), None) => Self::Present(value),
            (Some(_), Some(_)) => Self::Repeated,
        }
    }

    fn text(&self) -> Option<&'r str> {
        match self {
            Self::Present(value) => value.to_str().ok(),
            Self::Absent | Self::Repeated => None,
        }
    }
}

fn refusal(origin: &SingleHeader<'_>) -> Failure {
    let named = match origin.text() {
        Some(origin) => format!(" ('{}')", origin.chars().take(SHOWN).collect::<String>()),
        None => String::new(),
    };
    let message = format!(
        "The request was sent by a page of another site{named}; use a page of this site, or ask the \
         operator to add that site to 'allowed_origins'"
    );
    Failure::new(StatusCode::FORBIDDEN, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sites() -> Sites {
        Sites::new(&Settings {
            public_url: Some("https://packages.example.com".to_owned()),
            api_host: Some("api.example.com".to_owned()),
            download_host: Some("dl.example.com".to_owned()),
            allowed_origins: vec!["https://tools.example.org:8443".to_owned()],
            ..Settings::default()
        })
    }

    fn passes(said: &[(&'static str, &'static str)], host: &str, is_https: bool) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in said {
            headers.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        sites().check(&Method::POST, &headers, SentTo { host: Some(host), is_https }).is_ok()
    }

    #[test]
    fn whoever_says_nothing_is_no_browser() {
        assert!(passes(&[], "packages.example.com", true));
        assert!(passes(&[("sec-fetch-site", "none")], "packages.example.com", true));
    }

    #[test]
    fn origins_are_compared_whole_and_default_ports_are_the_same_as_none() {
        for own in [
            "https://packages.example.com",
            "https://PACKAGES.example.com",
            "https://packages.example.com:443",
            "https://api.example.com",
            "https://dl.example.com",
        ] {
            assert!(passes(&[("origin", own)], "inner:8080", false), "{own}");
            assert!(passes(&[("origin", own), ("sec-fetch-site", "same-origin")], "inner:8080", false), "{own}");
        }
        for foreign in [
            "http://packages.example.com",
            "https://packages.example.com:8443",
            "https://packages.example.com.evil.example",
            "https://example.com",
            "https://evil.example",
            "https://packages.example.com/path",
            "https://evil@packages.example.com",
            "null",
            "",
            "packages.example.com",
            "file://",
        ] {
            assert!(!passes(&[("origin", foreign)], "inner:8080", false), "{foreign}");
            assert!(
                !passes(&[("origin", foreign), ("sec-fetch-site", "same-origin")], "inner:8080", false),
                "{foreign}"
            );
            assert!(!passes(&[("origin", foreign), ("sec-fetch-site", "none")], "inner:8080", false), "{foreign}");
        }
    }

    #[test]
    fn the_host_of_the_request_is_an_origin_of_its_own() {
        assert!(passes(&[("origin", "http://localhost:8080")], "localhost:8080", false));
        assert!(passes(&[("origin", "http://[::1]:8080")], "[::1]:8080", false));
        assert!(passes(&[("origin", "http://house")], "house:80", false));
        assert!(passes(&[("origin", "https://house")], "house:443", true));
        // A proxy may have terminated TLS without reporting it.
        assert!(passes(&[("origin", "https://house")], "house", false));
        assert!(!passes(&[("origin", "http://house")], "house", true));
        assert!(!passes(&[("origin", "http://localhost:3000")], "localhost:8080", false));
        assert!(!passes(&[("origin", "http://localhost:8080")], "127.0.0.1:8080", false));
    }

    #[test]
    fn the_browser_word_about_the_page_binds_too() {
        let own = ("origin", "https://packages.example.com");
        for site in ["cross-site", "same-site", "Same-Origin", "something new", ""] {
            assert!(!passes(&[("sec-fetch-site", site)], "packages.example.com", true), "{site}");
            assert!(!passes(&[own, ("sec-fetch-site", site)], "packages.example.com", true), "{site}");
        }
        let twice = [("sec-fetch-site", "same-origin"), ("sec-fetch-site", "same-origin")];
        assert!(!passes(&twice, "packages.example.com", true));
        assert!(!passes(&[own, own], "packages.example.com", true));
    }

    #[test]
    fn an_origin_that_the_operator_allows_may_send_anything() {
        let allowed = ("origin", "https://tools.example.org:8443");
        assert!(passes(&[allowed, ("sec-fetch-site", "cross-site")], "packages.example.com", true));
        assert!(!passes(&[("origin", "https://tools.example.org")], "packages.example.com", true));
        assert!(!passes(&[allowed, allowed], "packages.example.com", true));
    }

    #[test]
    fn what_only_reads_is_for_everyone() {
        let headers = HeaderMap::from_iter([(SEC_FETCH_SITE, HeaderValue::from_static("cross-site"))]);
        let sent_to = SentTo { host: None, is_https: true };
        for (method, may) in [
            (Method::GET, true),
            (Method::HEAD, true),
            (Method::OPTIONS, true),
            (Method::PUT, false),
            (Method::PATCH, false),
            (Method::DELETE, false),
            (Method::TRACE, false),
        ] {
            assert_eq!(sites().check(&method, &headers, sent_to).is_ok(), may, "{method}");
        }
    }
}
