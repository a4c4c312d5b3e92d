//! The headers of uploads, for the description.

use serde_json::{Value, json};

const HEADERS: [(&str, &str); 11] = [
    ("X-Service-Package", "The package, if the path does not begin with it"),
    ("X-Service-Version", "The version, if the path does not begin with the package and it"),
    ("X-Service-Publish", "1 publishes the file at once"),
    ("X-Service-Override", "1 replaces other content at the same path"),
    ("X-Service-Explode", "1 unpacks the body, an archive, into the path's folder"),
    ("X-Checksum-Sha2", "The SHA-256 of the body, in hexadecimal; another body is refused"),
    ("X-Checksum-Sha1", "The SHA-1 of the body, in hexadecimal; another body is refused"),
    ("X-Checksum-Deploy", "true takes content that the server has, by its SHA-256, instead of a body"),
    ("X-Service-Debian-Distribution", "The distributions of a Debian package"),
    ("X-Service-Debian-Component", "The components of a Debian package"),
    ("X-Service-Debian-Architecture", "The architectures of a Debian package"),
];

/// The parameters of an upload that are headers.
pub(super) fn of_uploads() -> impl Iterator<Item = Value> {
    HEADERS.into_iter().map(|(name, meaning)| {
        let schema = match name {
            "X-Service-Publish" | "X-Service-Override" | "X-Service-Explode" => {
                json!({"type": "string", "enum": ["0", "1"]})
            }
            _ => json!({"type": "string"}),
        };
        json!({"name": name, "in": "header", "required": false, "description": meaning, "schema": schema})
    })
}
