//! A line of a script: callers, method, path and body.

use reqwest::Method;
use suite::{Call, Person};

/// The callers of a line that names none.
const EVERYBODY: [&str; 3] = ["anonymous", "stranger", "owner"];

/// A request of a script: `[caller[,caller]] METHOD path [<header: value>].. [body]`.
///
/// A path is below the base URL of the API, or with two slashes below the server's root.
pub(super) struct Step {
    /// The line without its callers.
    pub(super) request: &'static str,
    /// Its callers, one after the other.
    pub(super) callers: Vec<&'static str>,
    pub(super) method: Method,
    pub(super) path: &'static str,
    headers: Vec<(&'static str, &'static str)>,
    pub(super) body: &'static str,
}

/// The content of a line.
pub(super) enum Line {
    /// A request.
    Request(Step),
    /// A background job of the house: `! word`.
    Chore(&'static str),
}

/// Returns the lines of a script. Comments begin with `#`.
pub(super) fn lines(script: &'static str) -> impl Iterator<Item = Line> {
    let lines = script.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(|line| line.strip_prefix("! ").map_or_else(|| Line::Request(Step::read(line)), Line::Chore))
}

/// Returns the requests of a script.
pub(super) fn steps(script: &'static str) -> impl Iterator<Item = Step> {
    lines(script).filter_map(|line| match line {
        Line::Request(step) => Some(step),
        Line::Chore(_) => None,
    })
}

impl Step {
    fn read(line: &'static str) -> Self {
        let (first, after) = word(line);
        let is_method = first.bytes().all(|byte| byte.is_ascii_uppercase());
        let (callers, request) =
            if is_method { (EVERYBODY.to_vec(), line) } else { (first.split(',').collect(), after) };
        let (method, rest) = word(request);
        let (path, mut body) = word(rest);
        let mut headers = Vec::new();
        while let Some((header, rest)) = body.strip_prefix('<').and_then(|rest| rest.split_once('>')) {
            headers.push(header.split_once(": ").expect("a header has a name and a value"));
            body = rest.trim_start();
        }
        let method = method.parse().unwrap_or_else(|_| panic!("no method: {line}"));
        Self { request, callers, method, path, headers, body }
    }

    /// Creates the request. `fill` replaces the variables in all its parts.
    pub(super) fn by(&self, person: &Person, fill: impl Fn(&str) -> String) -> Call {
        let call = person.call(self.method.clone(), &fill(self.path)).body(fill(self.body));
        self.headers.iter().fold(call, |call, (name, value)| call.header(name, value))
    }
}

/// Splits off the first word.
fn word(text: &'static str) -> (&'static str, &'static str) {
    text.split_once(' ').unwrap_or((text, ""))
}
