//! Validates values that are well formed, alone and together. Reports all problems, not only the first.

use ipnet::IpNet;
use model::names::LicenseName;

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
        checks.tls();
        checks.s3();
        checks.downloads();
        checks.geo();
        checks.licenses();
        checks.staging();
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

    fn staging(&mut self) {
        if let Some(url) = &self.settings.staging.url
            && WebAddress::parse(url).is_none()
        {
            let expected = "an `http://` or `https://` URL without credentials, query and fragment";
            self.refuse("staging.url", url, expected);
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
mod tests {
    use super::*;
    use crate::{DatabaseUrl, Secret};
    use std::path::PathBuf;

    fn message(settings: &Settings) -> String {
        settings.validate().expect_err("an error").to_string()
    }

    fn with_blobs(blobs: &str) -> Settings {
        Settings { blobs: Some(blobs.to_owned()), ..Settings::default() }
    }

    #[test]
    fn the_defaults_are_good() {
        assert!(Settings::default().validate().is_ok());
    }

    #[test]
    fn all_problems_are_told_at_once() {
        let mut settings = Settings {
            database_url: Some(DatabaseUrl::new("mysql://ada:hush@host/x")),
            public_url: Some("https://example.com/?x".to_owned()),
            api_host: Some("https://api.example.com".to_owned()),
            trusted_proxies: vec!["0.0.0.0/0".parse().expect("a network"), "::/0".parse().expect("a network")],
            ..with_blobs("gs://bucket")
        };
        settings.limits.connections = 0;
        settings.log.level = " ".to_owned();
        settings.tls.key = Some(PathBuf::from("key.pem"));

        assert_eq!(
            message(&settings),
            "default: `limits.connections` is `0`; expected a whole number from 1 to 1000000\n\
             default: `log.level` is ``; expected a non-empty string\n\
             default: `database_url` is `mysql://ada:***@host/x`; expected `sqlite://path` or `postgres://user:password@host/name`\n\
             default: `blobs` is `gs://bucket`; expected a folder or `s3://bucket[/prefix]`\n\
             default: `public_url` is `https://example.com/?x`; expected an `http://` or `https://` URL without credentials, query and fragment\n\
             default: `api_host` is `https://api.example.com`; expected only a host name, such as `packages.example.com`\n\
             default: `trusted_proxies` is `0.0.0.0/0`; expected the networks of your own proxies only\n\
             default: `trusted_proxies` is `::/0`; expected the networks of your own proxies only\n\
             `tls.key` is set and `tls.certificate` is not; set both or neither"
        );
    }

    #[test]
    fn the_scrub_can_be_turned_off() {
        let mut settings = Settings::default();
        settings.scrub.period_days = 0;
        assert!(settings.validate().is_ok());
    }

    #[test]
    fn proxies_that_are_everywhere_in_parts_are_refused() {
        let with = |networks: &[&str]| Settings {
            trusted_proxies: networks.iter().map(|network| network.parse().expect("a network")).collect(),
            ..Settings::default()
        };
        for everywhere in [
            &["0.0.0.0/1", "128.0.0.0/1"][..],
            &["0.0.0.0/2", "64.0.0.0/2", "128.0.0.0/2", "192.0.0.0/3", "224.0.0.0/3"],
            &["10.0.0.0/8", "128.0.0.0/1"],
            &["::/1", "8000::/1"],
            &["2000::/3"],
            &["2000::/4", "3000::/4"],
        ] {
            assert!(message(&with(everywhere)).contains("the networks of your own proxies only"), "{everywhere:?}");
        }
        for own in [&["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"][..], &["2001:db8::/32", "fc00::/7"], &[]] {
            assert!(with(own).validate().is_ok(), "{own:?}");
        }
    }

    #[test]
    fn a_realm_fits_a_header() {
        for (realm, is_good) in [("Acme \"API\" \\ 1", true), ("a\nb", false), ("h\u{f6}f", false), (" ", false)] {
            let settings = Settings { auth_realm: realm.to_owned(), ..Settings::default() };
            assert_eq!(settings.validate().is_ok(), is_good, "{realm:?}");
        }
        let settings = Settings { auth_realm: "x".repeat(101), ..Settings::default() };
        assert!(message(&settings).contains("at most 100"));
    }

    #[test]
    fn an_allowed_origin_has_no_path() {
        for (origin, is_good) in [
            ("https://tools.example.com", true),
            ("http://localhost:3000", true),
            ("https://tools.example.com/", false),
            ("tools.example.com", false),
            ("null", false),
            ("*", false),
        ] {
            let settings = Settings { allowed_origins: vec![origin.to_owned()], ..Settings::default() };
            assert_eq!(settings.validate().is_ok(), is_good, "{origin}");
        }
    }

    #[test]
    fn times_that_would_overflow_are_refused() {
        let mut settings = Settings::default();
        settings.limits.drain_secs = u64::MAX;
        assert!(message(&settings).ends_with("expected a whole number from 1 to 86400"));
    }

    #[test]
    fn a_bucket_needs_both_keys_or_none() {
        let mut settings = with_blobs("s3://bucket/prefix");
        assert!(settings.validate().is_ok());
        settings.s3.secret_access_key = Some(Secret::new("hush"));
        assert_eq!(
            message(&settings),
            "`s3.secret_access_key` is set and `s3.access_key_id` is not; set both or neither"
        );
        settings.s3.access_key_id = Some("ada".to_owned());
        assert!(settings.validate().is_ok());
    }

    #[test]
    fn a_plain_endpoint_must_be_allowed() {
        let mut settings = with_blobs("s3://bucket");
        settings.s3.endpoint = Some("http://127.0.0.1:9000".to_owned());
        assert!(message(&settings).contains("`s3.allow_http`"));
        settings.s3.allow_http = true;
        assert!(settings.validate().is_ok());
    }

    #[test]
    fn a_country_comes_in_a_header_of_a_proxy() {
        let mut settings = Settings::default();
        settings.geo.country_header = Some("cf ipcountry".to_owned());
        assert!(message(&settings).contains("a header name"));
        settings.geo.country_header = Some("CF-IPCountry".to_owned());
        assert!(message(&settings).contains("`trusted_proxies`"));
        settings.trusted_proxies = vec!["10.0.0.0/8".parse().expect("a network")];
        assert!(settings.validate().is_ok());
    }

    #[test]
    fn hosts_must_differ_from_each_other_and_from_the_pages() {
        let settings = Settings {
            public_url: Some("https://example.com".to_owned()),
            api_host: Some("Example.com".to_owned()),
            download_host: Some("example.com".to_owned()),
            ..Settings::default()
        };
        assert_eq!(message(&settings).lines().count(), 3);
    }

    #[test]
    fn a_bucket_has_a_plain_name() {
        assert!(is_folder_or_bucket("s3://bucket/some/prefix"));
        assert!(is_folder_or_bucket("./blobs"));
        assert!(!is_folder_or_bucket("s3://"));
        assert!(!is_folder_or_bucket("s3://key:secret@bucket"));
        assert!(!is_folder_or_bucket("file:///blobs"));
    }

    #[test]
    fn a_database_is_sqlite_or_postgresql() {
        assert!(is_database_url("sqlite://house.db"));
        assert!(is_database_url("postgresql://host/x"));
        assert!(!is_database_url("sqlite://"));
        assert!(!is_database_url("house.db"));
    }
}
