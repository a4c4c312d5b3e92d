//! Settings that are refused, and why.

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
fn a_security_contact_is_a_url() {
    for (contact, is_good) in [
        ("mailto:security@example.com", true),
        ("https://example.com/security", true),
        ("security@example.com", false),
        ("mailto:a@example.com\nExpires: never", false),
    ] {
        let settings = Settings { security_contact: Some(contact.to_owned()), ..Settings::default() };
        assert_eq!(settings.validate().is_ok(), is_good, "{contact:?}");
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
    assert_eq!(message(&settings), "`s3.secret_access_key` is set and `s3.access_key_id` is not; set both or neither");
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
