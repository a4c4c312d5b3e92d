//! Translates the names that clients of the API's first incarnation use into today's, and back. No other module does.

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use model::target::Target;

const OLD_HEADER: &str = "x-bintray-";
const NEW_HEADER: &str = "x-service-";
const OLD_PARAMETER: &str = "bt_";
const NEW_PARAMETER: &str = "svc_";
const OLD_SYNC: &str = "maven_central_sync";
const NEW_SYNC: &str = "maven_public_sync";

/// Renames old headers, parameters and the one old path. Two spellings in one request stay two values, so that their
/// reader detects a contradiction.
pub(crate) fn rename(headers: &mut HeaderMap, target: &mut Target) {
    rename_headers(headers);
    split_flags(&mut target.query);
    for (name, _) in target.matrix.iter_mut().chain(&mut target.query) {
        if let Some(rest) = name.strip_prefix(OLD_PARAMETER) {
            *name = format!("{NEW_PARAMETER}{rest}");
        }
    }
    if let [api, first, ..] = target.segments.as_mut_slice()
        && api == "api"
        && first == OLD_SYNC
    {
        NEW_SYNC.clone_into(first);
    }
}

/// Adds the old names of response headers for old clients.
pub(crate) fn add_old_names(headers: &mut HeaderMap) {
    let old = headers.iter().filter_map(|(name, value)| {
        let rest = name.as_str().strip_prefix(NEW_HEADER)?;
        Some((HeaderName::try_from(format!("{OLD_HEADER}{rest}")).ok()?, value.clone()))
    });
    let old: Vec<_> = old.collect();
    headers.extend(old);
}

/// Gives the keys of an account the one name that the router knows. These are not old names: both are current.
pub(crate) fn rename_keys(target: &mut Target) {
    if let [api, kind, _, keys, ..] = target.segments.as_mut_slice()
        && api == "api"
        && (kind == "orgs" || kind == "users")
        && keys == "download_keys"
    {
        "access_keys".clone_into(keys);
    }
}

/// Flags of an upload.
const FLAGS: [&str; 3] = ["publish", "override", "explode"];

/// Some old clients write `?publish=1;override=1`, as if the query were matrix parameters. Only flags are split: their
/// values are 0 or 1, so the meaning is clear.
fn split_flags(query: &mut Vec<(String, String)>) {
    let mut more = Vec::new();
    for (_, value) in query.iter_mut().filter(|(name, value)| FLAGS.contains(&name.as_str()) && value.contains(';')) {
        let whole = std::mem::take(value);
        let mut parts = whole.split(';');
        let first = parts.next().unwrap_or_default().to_owned();
        let flags: Option<Vec<_>> =
            parts.map(|part| part.split_once('=').filter(|(flag, _)| FLAGS.contains(flag))).collect();
        match flags {
            Some(flags) => {
                *value = first;
                more.extend(flags.into_iter().map(|(flag, value)| (flag.to_owned(), value.to_owned())));
            }
            // Rejected later with the name of the flag.
            None => *value = whole,
        }
    }
    query.extend(more);
}

/// Converts the value of an old header that is a flag: it may also be a boolean, or empty, which counts as no header.
fn flag_value(name: &str, value: HeaderValue) -> Option<HeaderValue> {
    if !FLAGS.iter().any(|flag| name.strip_prefix(NEW_HEADER) == Some(*flag)) {
        return Some(value);
    }
    match value.as_bytes() {
        b"" => None,
        b"true" => Some(HeaderValue::from_static("1")),
        b"false" => Some(HeaderValue::from_static("0")),
        _ => Some(value),
    }
}

fn rename_headers(headers: &mut HeaderMap) {
    let old: Vec<HeaderName> = headers.keys().filter(|name| name.as_str().starts_with(OLD_HEADER)).cloned().collect();
    for name in old {
        let renamed = name.as_str().replacen(OLD_HEADER, NEW_HEADER, 1);
        let Ok(renamed) = HeaderName::try_from(renamed) else { continue };
        let values: Vec<_> = headers.get_all(&name).iter().cloned().collect();
        headers.remove(&name);
        for value in values.into_iter().filter_map(|value| flag_value(renamed.as_str(), value)) {
            headers.append(&renamed, value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_two_names() {
        for (path, canonical) in [
            ("/api/users/ada/download_keys/one", "/api/users/ada/access_keys/one"),
            ("/api/orgs/acme/download_keys", "/api/orgs/acme/access_keys"),
            ("/dl/orgs/acme/download_keys", "/dl/orgs/acme/download_keys"),
            ("/api/repos/acme/download_keys", "/api/repos/acme/download_keys"),
        ] {
            let mut target = Target::parse(path, "").expect("well formed");
            rename_keys(&mut target);
            assert_eq!(target.canonical_path(), canonical);
        }
    }

    #[test]
    fn answers_have_both_names() {
        let pairs = [("x-service-stream-reconnect-id", "7"), ("x-request-id", "a")];
        let pairs = pairs.map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)));
        let mut headers = HeaderMap::from_iter(pairs);
        add_old_names(&mut headers);
        assert_eq!(headers["x-bintray-stream-reconnect-id"], "7");
        assert_eq!(headers.len(), 3);
    }

    #[test]
    fn old_names_become_new_ones_and_contradictions_stay() {
        let mut headers = HeaderMap::new();
        headers.append("X-Bintray-Package", HeaderValue::from_static("a"));
        headers.append("X-Service-Package", HeaderValue::from_static("b"));
        let mut target =
            Target::parse("/api/maven_central_sync/s/f;bt_package=p", "bt_version=1").expect("well formed");
        rename(&mut headers, &mut target);
        assert_eq!(headers.get_all("x-service-package").iter().count(), 2);
        assert!(!headers.contains_key("x-bintray-package"));
        assert_eq!(target.segments[1], "maven_public_sync");
        assert_eq!(target.matrix, [("svc_package".to_owned(), "p".to_owned())]);
        assert_eq!(target.query, [("svc_version".to_owned(), "1".to_owned())]);
    }
}
