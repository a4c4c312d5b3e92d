//! The media type of a file, from its name.

use std::path::Path;

/// The type of a file with this name or path; never with a charset, because the bytes are not inspected.
///
/// Web pages get their real type: the response's content security policy puts them into a sandbox.
pub(crate) fn media_type(name: &str) -> &'static str {
    let path = Path::new(name);
    let Some(extension) = path.extension().and_then(|extension| extension.to_str()) else {
        return path.file_name().and_then(|name| name.to_str()).map_or(UNKNOWN, without_extension);
    };
    package_format(&extension.to_ascii_lowercase())
        .unwrap_or_else(|| mime_guess::from_ext(extension).first_raw().unwrap_or(UNKNOWN))
}

/// Whether a browser would render a file of this type, whatever it contains, instead of saving it. Clients of package
/// formats ignore the header that follows from this.
pub(super) fn is_rendered(media_type: &str) -> bool {
    const PAGES: [&str; 8] = [
        "text/html",
        "text/xml",
        "application/xml",
        "application/pdf",
        "message/rfc822",
        "multipart/related",
        "application/x-shockwave-flash",
        "text/vnd.wap.wml",
    ];
    PAGES.contains(&media_type) || media_type.ends_with("+xml") || media_type.ends_with("/x-mimearchive")
}

const UNKNOWN: &str = "application/octet-stream";
const TEXT: &str = "text/plain";

/// Extensions that the general list lacks or maps to another type.
fn package_format(extension: &str) -> Option<&'static str> {
    Some(match extension {
        "jar" | "war" | "ear" => "application/java-archive",
        "pom" | "xml" => "application/xml",
        "module" => "application/json",
        "deb" | "udeb" | "ddeb" => "application/vnd.debian.binary-package",
        "rpm" => "application/x-rpm",
        // Wheels and similar formats are zip archives by definition.
        "whl" | "egg" | "nupkg" | "snupkg" | "aar" | "conda" => "application/zip",
        "gz" | "tgz" | "crate" => "application/gzip",
        "bz2" | "tbz2" => "application/x-bzip2",
        "xz" | "txz" => "application/x-xz",
        "zst" | "tzst" => "application/zstd",
        "gem" => "application/x-tar",
        "yaml" | "yml" => "application/yaml",
        "toml" => "application/toml",
        "md5" | "sha1" | "sha256" | "sha512" | "asc" | "dsc" | "changes" | "buildinfo" => TEXT,
        // The general list uses these extensions for other formats.
        "box" | "ipk" | "opk" => UNKNOWN,
        _ => return None,
    })
}

/// The type of a file without an extension: the index files of Debian repositories.
fn without_extension(name: &str) -> &'static str {
    match name {
        "InRelease" | "Release" | "Packages" | "Sources" => TEXT,
        _ => UNKNOWN,
    }
}

#[cfg(test)]
mod tests {
    use axum::http::HeaderValue;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn formats_of_packages_are_known() {
        let known = [
            ("lib-1.jar", "application/java-archive"),
            ("org/x/lib/1/lib-1.pom", "application/xml"),
            ("maven-metadata.xml", "application/xml"),
            ("zlib_1.3_amd64.deb", "application/vnd.debian.binary-package"),
            ("zlib-1.3.x86_64.rpm", "application/x-rpm"),
            ("cat-1.0-py3-none-any.whl", "application/zip"),
            ("cat-1.0.tar.gz", "application/gzip"),
            ("cat-1.0.tgz", "application/gzip"),
            ("cat-1.0.crate", "application/gzip"),
            ("cat-1.0.tar.xz", "application/x-xz"),
            ("lib-1.jar.sha1", "text/plain"),
            ("lib-1.jar.md5", "text/plain"),
            ("lib-1.jar.asc", "text/plain"),
            ("dists/stable/InRelease", "text/plain"),
        ];
        assert_eq!(known.map(|(name, _)| media_type(name)), known.map(|(_, expected)| expected));
    }

    #[test]
    fn other_files_are_called_what_they_are() {
        assert_eq!(media_type("index.html"), "text/html");
        assert_eq!(media_type("a.PNG"), "image/png");
        assert_eq!(media_type("A.JAR"), "application/java-archive");
        assert_eq!(media_type("notes.txt"), "text/plain");
        assert_eq!(media_type("package.json"), "application/json");
    }

    #[test]
    fn pages_are_told_from_what_is_only_shown() {
        for page in ["a.html", "a.HTM", "a.xhtml", "a.svg", "a.xml", "lib-1.pom", "a.pdf", "a.rss", "a.xsl", "a.mht"] {
            assert!(is_rendered(media_type(page)), "{page}: {}", media_type(page));
        }
        for other in ["a.jar", "a.txt", "a.png", "a.json", "a.tar.gz", "a.js", "a.css", "a", "a.asc", "a.yaml"] {
            assert!(!is_rendered(media_type(other)), "{other}: {}", media_type(other));
        }
    }

    #[test]
    fn what_is_not_known_is_just_bytes() {
        for name in ["", "file", "file.", "file.unheard-of", ".jar", "dir.jar/file", "file.vagrant.box", "é.ü"] {
            assert_eq!(media_type(name), "application/octet-stream", "{name}");
        }
    }

    proptest! {
        #[test]
        fn every_type_fits_a_header_and_has_no_charset(name in "\\PC{0,20}\\.[a-z0-9]{0,5}") {
            let found = media_type(&name);
            prop_assert!(HeaderValue::from_str(found).is_ok() && !found.contains("charset"), "{}", found);
        }
    }
}
