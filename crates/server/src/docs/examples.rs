//! Examples of request bodies: those of the manual, whose commands the suite runs.

use serde_json::Value;

use super::manual::MANUAL;
use crate::endpoints::Endpoint;

/// The body of the first command of the manual that makes this call with a JSON object or array that is not empty.
pub(super) fn body(endpoint: &Endpoint) -> Option<Value> {
    let heading = format!("\n### `{} {}`\n", endpoint.method, endpoint.path);
    let (_, text) = MANUAL.split_once(&heading)?;
    let text = text.split("\n### ").next()?.replace("\\\n", "");
    let commands = text.lines().filter(|line| is_call(line, endpoint));
    let bodies = commands.filter_map(|line| line.split_once(" -d '")?.1.split_once('\''));
    let mut values = bodies.filter_map(|(body, _)| serde_json::from_str::<Value>(body).ok());
    values.find(|value| match value {
        Value::Object(fields) => !fields.is_empty(),
        Value::Array(items) => !items.is_empty(),
        _ => false,
    })
}

/// Whether a command makes this call: curl posts a body unless `-X` says otherwise.
fn is_call(line: &str, endpoint: &Endpoint) -> bool {
    let word = |mark: &str| line.split_once(mark).map(|(_, rest)| rest);
    let method = word(" -X ").and_then(|rest| rest.split(' ').next()).unwrap_or("POST");
    let Some(path) = word("\"$BASE/api").and_then(|rest| rest.split(['"', '?']).next()) else { return false };
    let (mut parts, mut wanted) = (path.split('/'), endpoint.path.split('/'));
    let fits = wanted.all(|wanted| match parts.next() {
        Some(_) if wanted == "{file_path}" => {
            parts.by_ref().for_each(drop);
            true
        }
        Some(part) => wanted.starts_with('{') || wanted == part,
        None => false,
    });
    method == endpoint.method.as_str() && fits && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::endpoints::endpoints;

    #[test]
    fn most_calls_with_a_body_have_an_example() {
        let calls = endpoints();
        let (with, without): (Vec<_>, Vec<_>) =
            calls.iter().filter(|call| call.body.is_some()).partition(|call| body(call).is_some());
        let without: Vec<&str> = without.iter().map(|call| call.path).collect();
        assert!(with.len() > 80 && without.len() < 15, "without an example: {without:?}");
    }
}
