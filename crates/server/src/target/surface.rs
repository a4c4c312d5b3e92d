//! Selects the surface of a request: by host name, by path, and with or without a version.

use std::borrow::Cow;

use model::target::Target;

/// The surfaces of the host names.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostNames {
    pub(crate) api: Option<String>,
    pub(crate) download: Option<String>,
}

/// Paths of the server itself, the same on every host.
const SYSTEM: [&str; 6] = ["_", "assets", "livez", "readyz", "metrics", "v2"];

impl HostNames {
    /// Gives the target its canonical form for the router: `/api/...` for the API, `/dl/...` for downloads.
    pub(crate) fn place(&self, host: Option<&str>, target: &mut Target) {
        let host = host.map(without_port).unwrap_or_default();
        let is = |name: &Option<String>| name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(host));
        let first = target.segments.first().map(String::as_str).unwrap_or_default();
        let surface = match () {
            () if SYSTEM.contains(&first) => None,
            () if is(&self.api) => Some("api"),
            () if is(&self.download) => Some("dl"),
            () => None,
        };
        if let Some(surface) = surface.filter(|surface| *surface != first) {
            target.segments.insert(0, surface.to_owned());
        }
        // The latest version is served without a number; version 1 is the latest.
        if matches!(target.segments.as_slice(), [api, version, ..] if api == "api" && version == "v1") {
            target.segments.remove(1);
        }
    }
}

impl HostNames {
    /// Whether a request may be a call of the API.
    pub(crate) fn is_api(&self, host: Option<&str>, path: &str) -> bool {
        let is_host = |name: &String| host.is_some_and(|host| name.eq_ignore_ascii_case(without_port(host)));
        path.starts_with("/api/") || self.api.as_ref().is_some_and(is_host)
    }

    /// The path of a download in the router's form, if the request is one. Those of the registry are the same on every
    /// host.
    pub(crate) fn download_path<'p>(&self, host: Option<&str>, path: &'p str) -> Option<Cow<'p, str>> {
        if path.starts_with("/v2/") {
            return Some(Cow::Borrowed(path));
        }
        let found = self.download_path_as_sent(host, path)?;
        // npm's clients send the slash in a name as `%2f`.
        Some(if found.contains("%2f") { Cow::Owned(found.replace("%2f", "%2F")) } else { found })
    }

    fn download_path_as_sent<'p>(&self, host: Option<&str>, path: &'p str) -> Option<Cow<'p, str>> {
        if self.api.is_some() || self.download.is_some() {
            let host = host.map(without_port).unwrap_or_default();
            let is = |name: &Option<String>| name.as_deref().is_some_and(|name| name.eq_ignore_ascii_case(host));
            if is(&self.api) {
                return None;
            }
            if is(&self.download) && !path.starts_with("/dl/") {
                return Some(Cow::Owned(format!("/dl{path}")));
            }
        }
        path.starts_with("/dl/").then_some(Cow::Borrowed(path))
    }
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => name,
        _ => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placed(host: &'static str, path: &str) -> String {
        let hosts = HostNames { api: Some("api.example.com".into()), download: Some("dl.example.com".into()) };
        let mut target = Target::parse(path, "").expect("well formed");
        hosts.place(Some(host), &mut target);
        target.canonical_path()
    }

    #[test]
    fn each_host_serves_its_surface_at_its_root() {
        assert_eq!(placed("api.example.com", "/users/ada"), "/api/users/ada");
        assert_eq!(placed("API.example.com:8443", "/v1/users/ada"), "/api/users/ada");
        assert_eq!(placed("api.example.com", "/api/users/ada"), "/api/users/ada");
        assert_eq!(placed("dl.example.com", "/acme/tools/x"), "/dl/acme/tools/x");
        assert_eq!(placed("dl.example.com", "/readyz"), "/readyz");
        assert_eq!(placed("dl.example.com", "/v2/a/b/c/tags/list"), "/v2/a/b/c/tags/list");
        assert_eq!(placed("api.example.com", "/v2/"), "/v2");
    }

    #[test]
    fn calls_of_the_api_are_recognized_as_they_were_sent() {
        let hosts = HostNames { api: Some("api.example.com".into()), download: None };
        assert!(hosts.is_api(Some("localhost"), "/api/users/ada"));
        assert!(hosts.is_api(Some("API.example.com:8443"), "/users/ada"));
        assert!(!hosts.is_api(Some("localhost"), "/ada") && !hosts.is_api(None, "/apiary"));
    }

    #[test]
    fn other_hosts_go_by_the_path() {
        assert_eq!(placed("localhost:8080", "/api/v1/users"), "/api/users");
        assert_eq!(placed("localhost:8080", "/api/users"), "/api/users");
        assert_eq!(placed("localhost:8080", "/dl/v1/x"), "/dl/v1/x");
        assert_eq!(placed("localhost", "/acme"), "/acme");
    }
}
