//! Checks the requests of all formats.

use std::collections::BTreeSet;

use operations::format::{NativeMethod, NativeRoute};

use crate::{FORMATS, native_samples::matched};

fn routes() -> impl Iterator<Item = (&'static str, &'static NativeRoute)> {
    FORMATS.iter().filter_map(|format| Some((format.name(), format.native()?))).flat_map(|(name, native)| {
        let routes: &'static [NativeRoute] = native.routes();
        routes.iter().map(move |route| (name, route))
    })
}

/// The names in a pattern, with what they are written in.
fn names(path: &'static str) -> Vec<&'static str> {
    path.split('/').filter_map(|segment| segment.split_once('{')?.1.split_once('}')).map(|(name, _)| name).collect()
}

/// A path that the pattern covers.
fn sample(path: &str) -> String {
    let segments = path.split('/').map(|segment| match segment.split_once('{') {
        Some((start, rest)) => format!("{start}{}{}", "x", rest.split_once('}').expect("an end").1),
        None => segment.to_owned(),
    });
    segments.collect::<Vec<_>>().join("/")
}

#[test]
fn formats_have_native_requests() {
    let with: BTreeSet<&str> = routes().map(|(format, _)| format).collect();
    for format in ["cargo", "composer", "go", "helm", "npm", "pypi", "vagrant"] {
        assert!(with.contains(format), "{format}");
    }
}

#[test]
fn a_request_has_one_line_in_its_table() {
    let mut seen = BTreeSet::new();
    for (format, route) in routes() {
        let shape = format!("{format} {:?} {}", route.method, sample(route.path));
        assert!(seen.insert(shape.clone()), "{shape} appears twice");
    }
}

#[test]
fn no_line_hides_a_later_one() {
    for format in FORMATS {
        let routes: &'static [NativeRoute] = format.native().map_or(&[], |native| native.routes());
        for (position, route) in routes.iter().enumerate() {
            let first = routes.iter().position(|other| matched(other, route.method, &sample(route.path)).is_some());
            assert_eq!(first, Some(position), "{}: {:?} {}", format.name(), route.method, route.path);
        }
    }
}

#[test]
fn every_name_of_a_path_has_a_value() {
    for (format, route) in routes() {
        let names = names(route.path);
        let unique: BTreeSet<&str> = names.iter().map(|name| name.trim_matches(['@', '*'])).collect();
        assert_eq!(unique.len(), names.len(), "{format}: {} has a name twice", route.path);
        assert!(unique.iter().all(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')));
        let values = matched(route, route.method, &sample(route.path)).expect("covered");
        assert_eq!(values.iter().map(|(name, _)| *name).collect::<BTreeSet<_>>(), unique, "{format}: {}", route.path);
    }
}

#[test]
fn paths_are_relative() {
    for (format, route) in routes() {
        assert!(!route.path.starts_with('/') && !route.path.contains("//"), "{format}: {}", route.path);
        let is_put = route.method == NativeMethod::Put;
        assert!(!is_put || !route.path.is_empty(), "{format}: a repository itself is not written");
    }
}
