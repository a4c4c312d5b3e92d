//! Validates values that are well formed, alone and together. Reports all problems, not only the first.

use ipnet::IpNet;
use model::{group_rule::GroupRule, names::LicenseName};

use super::locations::{WebAddress, is_host_name};
use super::schema;
use super::secret::shown;
use super::{Problem, Settings, SettingsError, WebOrigin};

/// The maximum length of a realm.
const MOST_REALM_BYTES: usize = 100;

impl Settings {
    /// Validates the rules that the types cannot express. `load` calls it, too.
    pub fn validate(&self) -> Result<(), SettingsError> {
        let mut checks = Checks { settings: self, problems: Vec::new() };
        checks.numbers();
        checks.texts();
        checks.locations();
        checks.addresses();
        checks.proxies();
        checks.origins();
        checks.realm();
        checks.security_contact();
        checks.tls();
        checks.s3();
        checks.downloads();
        checks.geo();
        checks.licenses();
        checks.staging();
        checks.mail();
        checks.traces();
        checks.oidc();
        if checks.problems.is_empty() { Ok(()) } else { Err(SettingsError::Wrong(checks.problems)) }
    }
}

struct Checks<'a> {
    settings: &'a Settings,
    problems: Vec<Problem>,
}

impl Checks<'_> {
    fn numbers(&mut self) {
        for (key, value) in schema::leaves(self.settings) {
            let Some(number) = value.as_u64() else {
                continue;
            };
            if number < schema::least(&key) || number > schema::most(&key) {
                self.refuse(&key, &number.to_string(), &schema::expected(&key));
            }
        }
    }

    /// Rejects empty strings for settings that have a default.
    fn texts(&mut self) {
        for (key, value) in schema::leaves(self.settings) {
            if value.as_str().is_some_and(|text| text.trim().is_empty()) {
                self.refuse(&key, "", "a non-empty string");
            }
        }
    }

    fn locations(&mut self) {
        if let Some(url) = &self.settings.database_url
            && !is_database_url(url.reveal())
        {
            let expected = "`sqlite://path` or `postgres://user:password@host/name`";
            self.refuse("database_url", url.reveal(), expected);
        }
        if let Some(blobs) = &self.settings.blobs
            && !is_folder_or_bucket(blobs)
        {
            self.refuse("blobs", blobs, "a folder or `s3://bucket[/prefix]`");
        }
    }

    fn addresses(&mut self) {
        let settings = self.settings;
        let public = settings.public_url.as_deref();
        if let Some(url) = public
            && WebAddress::parse(url).is_none()
        {
            let expected = "an `http://` or `https://` URL without credentials, query and fragment";
            self.refuse("public_url", url, expected);
        }
        let hosts = [("api_host", &settings.api_host), ("download_host", &settings.download_host)];
        let public_host = public.and_then(WebAddress::parse).map(|address| address.host);
        for (key, host) in hosts {
            let Some(host) = host else {
                continue;
            };
            if !is_host_name(host) {
                self.refuse(key, host, "only a host name, such as `packages.example.com`");
            } else if public_host.is_some_and(|public| public.eq_ignore_ascii_case(host)) {
                self.contradict(format!(
                    "`{key}` is the host of `public_url`, whose root serves the web pages; set another host or unset it"
                ));
            }
        }
        if let (Some(api), Some(download)) = (&settings.api_host, &settings.download_host)
            && api.eq_ignore_ascii_case(download)
        {
            self.contradict("`api_host` and `download_host` are the same; set two different hosts".to_owned());
        }
    }

    /// Rejects networks that cover the internet: anyone could then forge their own IP address.
    fn proxies(&mut self) {
        let expected = "the networks of your own proxies only";
        let trusted = &self.settings.trusted_proxies;
        for network in trusted.iter().filter(|network| network.prefix_len() == 0) {
            self.refuse("trusted_proxies", &network.to_string(), expected);
        }
        if covers_the_internet(trusted) && trusted.iter().all(|network| network.prefix_len() > 0) {
            let all: Vec<String> = trusted.iter().map(ToString::to_string).collect();
            self.refuse("trusted_proxies", &all.join(","), expected);
        }
    }

    fn origins(&mut self) {
        for origin in &self.settings.allowed_origins {
            if WebOrigin::parse(origin).is_none() {
                let expected = "origins without a path, such as `https://tools.example.com` or `http://localhost:3000`";
                self.refuse("allowed_origins", origin, expected);
            }
        }
    }

    fn realm(&mut self) {
        let realm = &self.settings.auth_realm;
        let is_plain = realm.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic());
        if !is_plain || realm.len() > MOST_REALM_BYTES {
            self.refuse("auth_realm", realm, "at most 100 printable ASCII characters");
        }
    }

    fn security_contact(&mut self) {
        let Some(contact) = &self.settings.security_contact else { return };
        let is_known = ["mailto:", "https://", "tel:"].iter().any(|scheme| contact.starts_with(scheme));
        if !is_known || !contact.bytes().all(|byte| byte.is_ascii_graphic()) {
            self.refuse("security_contact", contact, "a URL that begins with `mailto:`, `https://` or `tel:`");
        }
    }

    fn tls(&mut self) {
        let tls = &self.settings.tls;
        if tls.certificate.is_some() != tls.key.is_some() {
            let keys = ["tls.certificate", "tls.key"];
            self.contradict_pair(keys, tls.certificate.is_some());
        }
    }

    fn s3(&mut self) {
        let s3 = &self.settings.s3;
        let is_used = self.settings.blobs.as_deref().is_some_and(|blobs| blobs.starts_with("s3://"));
        if is_used && s3.access_key_id.is_some() != s3.secret_access_key.is_some() {
            let keys = ["s3.access_key_id", "s3.secret_access_key"];
            self.contradict_pair(keys, s3.access_key_id.is_some());
        }
        let Some(endpoint) = &s3.endpoint else {
            return;
        };
        match WebAddress::parse(endpoint) {
            None => {
                let expected = "an `http://` or `https://` URL without credentials, query and fragment";
                self.refuse("s3.endpoint", endpoint, expected);
            }
            Some(address) if address.scheme == "http" && !s3.allow_http => {
                self.contradict("`s3.endpoint` is plain `http://`; use `https://` or set `s3.allow_http`".to_owned());
            }
            Some(_) => {}
        }
    }

    fn downloads(&mut self) {
        let downloads = &self.settings.downloads;
        if let Some(prefix) = &downloads.accel_prefix {
            let is_path = prefix.len() > 1 && prefix.starts_with('/') && !prefix.ends_with('/');
            let is_plain = prefix.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte));
            if !is_path || !is_plain {
                self.refuse("downloads.accel_prefix", prefix, "a path such as `/packhouse-content`");
            } else if self.settings.trusted_proxies.is_empty() {
                let reason = "`downloads.accel_prefix` has no effect without proxies; set `trusted_proxies`, too";
                self.contradict(reason.to_owned());
            }
        }
    }

    fn geo(&mut self) {
        let Some(name) = &self.settings.geo.country_header else { return };
        if name.parse::<http::HeaderName>().is_err() {
            self.refuse("geo.country_header", name, "a header name, such as `cf-ipcountry`");
        } else if self.settings.trusted_proxies.is_empty() {
            let reason = "`geo.country_header` has no effect without proxies; set `trusted_proxies`, too";
            self.contradict(reason.to_owned());
        }
    }

    /// Accepts only names that are valid in the API and in a list.
    fn licenses(&mut self) {
        for name in &self.settings.licenses.extra {
            if LicenseName::parse_new(name).is_err() {
                self.refuse("licenses.extra", name, "license names such as `BUSL-1.1`, at most 200 bytes each");
            }
        }
    }

    fn mail(&mut self) {
        let mail = &self.settings.mail;
        if let Some(server) =
            mail.server.as_ref().filter(|server| !is_host_name(server) && server.parse::<std::net::IpAddr>().is_err())
        {
            self.refuse("mail.server", server, "only a host name, such as `mail.example.com`");
        }
        if mail.server.is_some() && mail.from.as_ref().is_none_or(|from| !from.contains('@')) {
            self.contradict(
                "`mail.server` needs `mail.from`: set the sender, such as `packhouse@example.com`".to_owned(),
            );
        }
        if mail.user.is_some() != mail.password_file.is_some() {
            self.contradict("`mail.user` and `mail.password_file` need each other; set both or none".to_owned());
        }
    }

    fn staging(&mut self) {
        if let Some(url) = &self.settings.staging.url
            && WebAddress::parse(url).is_none()
        {
            let expected = "an `http://` or `https://` URL without credentials, query and fragment";
            self.refuse("staging.url", url, expected);
        }
    }

    fn traces(&mut self) {
        if let Some(url) = &self.settings.traces.url
            && WebAddress::parse(url).is_none()
        {
            let expected = "an `http://` or `https://` URL without credentials, query and fragment";
            self.refuse("traces.url", url, expected);
        }
    }

    fn oidc(&mut self) {
        let oidc = &self.settings.oidc;
        if oidc.issuer.is_some() != oidc.client_id.is_some() {
            self.contradict_pair(["oidc.issuer", "oidc.client_id"], oidc.issuer.is_some());
        }
        match oidc.issuer.as_deref() {
            Some(issuer) if !is_issuer(issuer) => {
                let expected =
                    "an `https://` URL without credentials, query and fragment; `http://` on this machine only";
                self.refuse("oidc.issuer", issuer, expected);
            }
            Some(_) => {}
            None if !oidc.password_sign_in => {
                let reason = "`oidc.password_sign_in` is off and `oidc.issuer` is not set; nobody could sign in";
                self.contradict(reason.to_owned());
            }
            None => {}
        }
        for rule in oidc.group_map.iter().filter(|rule| GroupRule::parse(rule).is_none()) {
            self.refuse("oidc.group_map", rule, "rules such as `staff=acme:member` or `release=acme/publishers`");
        }
    }

    fn refuse(&mut self, key: &str, value: &str, expected: &str) {
        self.problems.push(Problem::WrongValue {
            origin: self.settings.origins.of(key),
            key: key.to_owned(),
            value: shown(key, value),
            expected: expected.to_owned(),
        });
    }

    fn contradict_pair(&mut self, [first, second]: [&str; 2], first_is_set: bool) {
        let (set, unset) = if first_is_set { (first, second) } else { (second, first) };
        self.contradict(format!("`{set}` is set and `{unset}` is not; set both or neither"));
    }

    fn contradict(&mut self, reason: String) {
        self.problems.push(Problem::Contradiction { reason });
    }
}

/// Returns whether the networks together cover at least half of all IPv4 addresses, or all IPv6 addresses that are
/// assigned.
fn covers_the_internet(networks: &[IpNet]) -> bool {
    let together = IpNet::aggregate(&networks.to_vec());
    let v4 = together.iter().filter_map(|network| match network {
        IpNet::V4(network) => Some(1u64 << (32 - network.prefix_len())),
        IpNet::V6(_) => None,
    });
    // 2000::/3 contains all of them.
    let is_v6 = |network: &IpNet| matches!(network, IpNet::V6(network) if network.prefix_len() <= 3);
    v4.sum::<u64>() >= 1 << 31 || together.iter().any(is_v6)
}

fn is_issuer(issuer: &str) -> bool {
    let is_here = |host: &str| matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    WebAddress::parse(issuer).is_some_and(|address| address.scheme == "https" || is_here(address.host))
}

fn is_database_url(url: &str) -> bool {
    match url.split_once("://") {
        Some(("sqlite", path)) => !path.is_empty() && !path.contains('?'),
        Some(("postgres" | "postgresql", place)) => !place.is_empty(),
        _ => false,
    }
}

fn is_folder_or_bucket(blobs: &str) -> bool {
    match blobs.split_once("://") {
        None => true,
        Some(("s3", place)) => {
            let bucket = place.split('/').next().unwrap_or_default();
            let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
            !bucket.is_empty() && bucket.bytes().all(is_plain) && !place.contains(['?', '#'])
        }
        Some(_) => false,
    }
}

#[cfg(test)]
mod tests;
