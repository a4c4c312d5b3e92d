//! Gems for tests.

use crate::readers::{flat_tar::tests::plain_tar, samples::gzip};

/// A gem with this name, version and platform.
pub(super) fn gem(name: &str, version: &str, platform: &str) -> Vec<u8> {
    let metadata = format!(
        "--- !ruby/object:Gem::Specification\nname: {name}\nversion: !ruby/object:Gem::Version\n  version: {version}\n\
         platform: {platform}\nauthors:\n- Acme\ndependencies: []\ndescription: Says hello.\nlicenses:\n- MIT\n\
         homepage: https://example.com\nsummary: hello\nrubygems_version: 3.3.15\n"
    );
    plain_tar(&[("metadata.gz", &gzip(metadata.as_bytes())), ("data.tar.gz", b"")])
}
