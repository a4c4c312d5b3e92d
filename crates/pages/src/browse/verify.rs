//! Commands that compare downloaded files with their checksums, and with the signatures of the owner's key.

use std::fmt::Write as _;

use web::App;

use super::{package_parts::SigningKey, version_files::File};

/// The commands for these files; empty without any. They contain only names that a shell reads as they are.
pub(crate) fn commands(app: &App, files: &[File], key: Option<&SigningKey>) -> String {
    let files: Vec<&File> = files.iter().filter(|file| is_plain(&file.name) && !file.sha256.is_empty()).collect();
    let mut text = String::new();
    if files.is_empty() {
        return text;
    }
    text.push_str("sha256sum --ignore-missing -c <<'SUMS'\n");
    for file in &files {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{}  {}", file.sha256, file.name);
    }
    text.push_str("SUMS");
    let signed = files.iter().find(|file| file.is_signed() && !file.signature.contains('\''));
    if let Some((key, file)) = key.zip(signed) {
        let url = format!("{}{}", app.settings().public_url(), key.address);
        let _ = write!(text, "\ncurl -fsSL '{url}' | gpg --import\ncurl -fLO '{}'", file.signature);
        let _ = write!(text, "\ngpg --verify {}.asc {}", file.name, file.name);
    }
    text
}

/// Whether a name needs no quotes in a shell and is no option.
fn is_plain(name: &str) -> bool {
    !name.starts_with('-') && name.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_.+".contains(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_without_quotes_are_in_commands() {
        assert!(is_plain("tarmac-2.9.0_linux+x.tar.gz"));
        assert!(!is_plain("a b") && !is_plain("$(id)") && !is_plain("-rf") && !is_plain("SUMS\nid"));
    }
}
