//! Matches requests to the routes of a format.

use axum::http::Method;
use operations::format::{NativeMethod, NativeRoute};

/// The values of the names in a route's path.
type Values = Vec<(&'static str, String)>;

/// The first route that a request matches, with the values of its names. The segments are those below the repository.
pub(super) fn find(
    routes: &'static [NativeRoute],
    method: &Method,
    segments: &[String],
    is_folder: bool,
) -> Option<(&'static NativeRoute, Values)> {
    let wanted = native_method(method)?;
    let mut fitting = routes.iter().filter(|route| route.method == wanted);
    fitting.find_map(|route| Some((route, fit(route.path, segments, is_folder)?)))
}

/// The methods that a path accepts besides GET and HEAD, which fetch files.
pub(super) fn other_methods(
    routes: &'static [NativeRoute],
    segments: &[String],
    is_folder: bool,
) -> impl Iterator<Item = &'static str> {
    let all = [
        (NativeMethod::Post, "POST"),
        (NativeMethod::Put, "PUT"),
        (NativeMethod::Patch, "PATCH"),
        (NativeMethod::Delete, "DELETE"),
    ];
    let has = move |method| {
        let mut fitting = routes.iter().filter(|route| route.method == method);
        fitting.any(|route| fit(route.path, segments, is_folder).is_some())
    };
    all.into_iter().filter_map(move |(method, name)| has(method).then_some(name))
}

fn native_method(method: &Method) -> Option<NativeMethod> {
    match *method {
        Method::GET | Method::HEAD => Some(NativeMethod::Get),
        Method::POST => Some(NativeMethod::Post),
        Method::PUT => Some(NativeMethod::Put),
        Method::PATCH => Some(NativeMethod::Patch),
        Method::DELETE => Some(NativeMethod::Delete),
        _ => None,
    }
}

/// The values of a pattern's names, if it matches. The repository's own URL has a slash at its end or none.
fn fit(pattern: &'static str, segments: &[String], is_folder: bool) -> Option<Values> {
    let parts: Vec<&'static str> = pattern.split('/').filter(|part| !part.is_empty()).collect();
    if !parts.is_empty() && pattern.ends_with('/') != is_folder {
        return None;
    }
    let mut values = Vec::new();
    fit_parts(&parts, segments, &mut values).then_some(values)
}

fn fit_parts(parts: &[&'static str], segments: &[String], values: &mut Values) -> bool {
    let Some((part, parts)) = parts.split_first() else { return segments.is_empty() };
    let Some((segment, rest)) = segments.split_first() else { return false };
    let known = values.len();
    let is_fit = match name(part) {
        Name::Scoped(name) => fit_scoped(name, parts, segment, rest, values),
        Name::Many(name) => (1..=segments.len()).rev().any(|count| {
            values.truncate(known);
            values.push((name, segments[..count].join("/")));
            fit_parts(parts, &segments[count..], values)
        }),
        Name::One { before, name, after } => match taken(before, after, segment) {
            Some(value) => {
                values.push((name, value.to_owned()));
                fit_parts(parts, rest, values)
            }
            None => false,
        },
        Name::Fixed => *part == segment.as_str() && fit_parts(parts, rest, values),
    };
    if !is_fit {
        values.truncate(known);
    }
    is_fit
}

/// A name with a scope is one segment, or two: then the first begins with `@` and has no slash.
fn fit_scoped(name: &'static str, parts: &[&'static str], segment: &str, rest: &[String], values: &mut Values) -> bool {
    let slashes = segment.matches('/').count();
    match (segment.starts_with('@'), slashes, rest.split_first()) {
        (true, 0, Some((second, rest))) if !second.contains('/') => {
            values.push((name, format!("{segment}/{second}")));
            fit_parts(parts, rest, values)
        }
        (true, 1, _) | (false, 0, _) => {
            values.push((name, segment.to_owned()));
            fit_parts(parts, rest, values)
        }
        _ => false,
    }
}

/// A part of a pattern.
enum Name {
    Fixed,
    One { before: &'static str, name: &'static str, after: &'static str },
    Scoped(&'static str),
    Many(&'static str),
}

fn name(part: &'static str) -> Name {
    let named = part.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    let Some((before, (name, after))) = named else { return Name::Fixed };
    match (name.strip_prefix('@'), name.strip_suffix('*')) {
        (Some(name), _) => Name::Scoped(name),
        (None, Some(name)) => Name::Many(name),
        (None, None) => Name::One { before, name, after },
    }
}

/// What a segment has between a fixed beginning and a fixed end: at least one character, and no slash.
fn taken<'s>(before: &str, after: &str, segment: &'s str) -> Option<&'s str> {
    let value = segment.strip_prefix(before)?.strip_suffix(after)?;
    (!value.is_empty() && !value.contains('/')).then_some(value)
}

#[cfg(test)]
mod tests;
