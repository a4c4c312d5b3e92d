//! Readers of files that packages contain. Packages are hostile input: every reader has limits, and nothing is ever
//! unpacked to disk.

pub mod ar;
pub mod content;
pub mod deb822;
pub mod flat_tar;
pub mod gem_yaml;
pub mod gzip;
pub mod headers;
pub mod inflate;
pub mod json;
pub mod key_values;
pub mod limits;
pub mod marshal;
pub mod tar;
pub mod unpack;
pub mod walk;
pub mod xml;
pub mod yaml;
pub mod zip;
pub mod zip_sizes;

#[cfg(test)]
pub(crate) mod container_samples;
#[cfg(test)]
pub(crate) mod samples;

pub use self::limits::Limits;
pub use operations::format::Content;

/// Formats a foreign text for a message: short, on one line, and without control characters.
pub fn quoted(text: &str) -> String {
    let mut quoted = String::new();
    for character in text.chars().take(100) {
        match character {
            '\\' | '\'' | '"' => quoted.push(character),
            other => quoted.extend(other.escape_debug()),
        }
    }
    quoted
}
