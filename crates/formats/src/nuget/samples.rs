//! Packages for tests.

use super::nuspec::tests::sample;
use crate::readers::samples::zip;

/// A package with this id and version.
pub(super) fn nupkg(id: &str, version: &str) -> Vec<u8> {
    let nuspec = sample(id, version, "<license type=\"expression\">MIT</license><tags>a b</tags>");
    zip(&[(&format!("{id}.nuspec"), nuspec.as_bytes()), ("lib/netstandard2.0/a.dll", b"MZ")])
}
