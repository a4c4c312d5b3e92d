//! The requests of Composer.

use operations::format::{Body, NativeCall, NativeMethod, NativeRequest, NativeRoute, Question, Refusal};

/// Paths whose answers differ.
pub(super) const ROOT: &str = "packages.json";
pub(super) const LIST: &str = "list.json";

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: ROOT, request: packages },
    NativeRoute { method: NativeMethod::Get, path: LIST, request: packages },
    NativeRoute { method: NativeMethod::Get, path: "search.json", request: search },
    NativeRoute { method: NativeMethod::Put, path: "upload/{file}.zip", request: upload },
];

/// The number of matches of a search, unless the request says another.
const MATCHES: u64 = 15;

fn packages(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Packages))
}

fn search(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let number = |name: &str| call.query(name).and_then(|text| text.parse::<u64>().ok());
    let limit = number("per_page").unwrap_or(MATCHES);
    let offset = number("page").unwrap_or(1).saturating_sub(1).saturating_mul(limit);
    // A slash stands for the character between vendor and name in our names.
    let text = call.query("q").unwrap_or_default().trim().replace('/', ":");
    Ok(NativeRequest::Ask(Question::Search { text, offset, limit }))
}

fn upload(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Raw))
}
