//! Finds the endpoint or the page of a path.

use std::sync::LazyLock;

use reqwest::Method;
use server::Endpoint;

/// All endpoints, created once.
static ENDPOINTS: LazyLock<Vec<Endpoint>> = LazyLock::new(server::endpoints);

/// Returns the endpoint that answers a request below the base URL of the API: of those that match, the one with the
/// most fixed segments.
pub(super) fn endpoint(method: &Method, path: &str) -> Option<&'static Endpoint> {
    let path = path.split('?').next().unwrap_or_default();
    let fitting = ENDPOINTS.iter().filter(|endpoint| endpoint.method == *method);
    let fitting = fitting.filter(|endpoint| fits(endpoint.path, path, |_, _| true));
    fitting.max_by_key(|endpoint| segments(endpoint.path).filter(|segment| name(segment).is_none()).count())
}

/// Returns whether a path matches a pattern and the values of its variables are allowed. `{file_path}` matches the
/// rest.
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

/// Returns the name of a variable.
fn name(segment: &str) -> Option<&str> {
    segment.strip_prefix('{')?.strip_suffix('}')
}
