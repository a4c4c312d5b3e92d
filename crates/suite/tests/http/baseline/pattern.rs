//! Which endpoint, and which page, an address belongs to.

use std::sync::LazyLock;

use reqwest::Method;
use server::Endpoint;

/// All of them, made once.
static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(server::endpoints);

/// The endpoint that answers a request below the API's base address: of those that fit, the one with most fixed segments.
pub(super) fn endpoint(method: &Method, path: &str) -> Option<&'static Endpoint> {
    let path = path.split('?').next().unwrap_or_default();
    let fitting = ENDPOINTS.iter().filter(|endpoint| endpoint.method == *method);
    let fitting = fitting.filter(|endpoint| fits(endpoint.path, path, |_, _| true));
    fitting.max_by_key(|endpoint| segments(endpoint.path).filter(|segment| name(segment).is_none()).count())
}

/// Whether a path is one of a pattern, whose variables may have the values that are allowed. `{file_path}` is the rest.
pub(super) fn fits(pattern: &'static str, path: &str, allowed: impl Fn(&str, &str) -> bool) -> bool {
    let mut given = segments(path);
    for wanted in segments(pattern) {
        let Some(segment) = given.next() else { return false };
        match name(wanted) {
            Some("file_path") => return true,
            Some(name) if !allowed(name, segment) => return false,
            None if wanted != segment => return false,
            _ => {}
        }
    }
    given.next().is_none()
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// The name of a variable.
fn name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}
