//! Requests and packages for tests of formats.

use model::{
    digest::Digest,
    file_path::FilePath,
    names::{PackageName, VersionName},
    package::PackageProfile,
    timestamp::Timestamp,
};
use operations::format::{
    Facts, FileView, Format, MarkView, NativeCall, NativeMethod, NativeRequest, NativeRoute, PackageView, Refusal,
    SentFile, VersionView,
};

/// Finds the route of a request and lets a test see the call; `None` if there is no route.
pub(crate) fn with_call<T>(
    format: &dyn Format,
    method: NativeMethod,
    url: &str,
    accept: &str,
    see: impl FnOnce(&NativeCall<'_>) -> T,
) -> Option<T> {
    let (path, query) = url.split_once('?').unwrap_or((url, ""));
    let pairs = query.split('&').filter_map(|pair| pair.split_once('='));
    let query: Vec<_> = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let routes = format.native().expect("native requests").routes();
    let (route, values) = routes.iter().find_map(|route| Some((route, matched(route, method, path)?)))?;
    Some(see(&NativeCall {
        route,
        values,
        query: &query,
        accept,
        user: Some("ada"),
        repo: "repo",
        is_private: false,
        now: Timestamp::EPOCH,
    }))
}

/// The meaning of a request.
pub(crate) fn request(
    format: &dyn Format,
    method: NativeMethod,
    url: &str,
    accept: &str,
) -> Option<Result<NativeRequest, Refusal>> {
    with_call(format, method, url, accept, |call| (call.route.request)(call))
}

/// The values of a route's names in a path.
pub(crate) fn matched(
    route: &'static NativeRoute,
    method: NativeMethod,
    path: &str,
) -> Option<Vec<(&'static str, String)>> {
    if route.method != method {
        return None;
    }
    let pattern: Vec<&'static str> = route.path.split('/').collect();
    let path: Vec<&str> = path.split('/').collect();
    let mut values = Vec::new();
    follow(&pattern, &path, &mut values).then_some(values)
}

fn follow(pattern: &[&'static str], path: &[&str], values: &mut Vec<(&'static str, String)>) -> bool {
    let Some((first, pattern)) = pattern.split_first() else { return path.is_empty() };
    let Some((before, (name, after))) = first.split_once('{').and_then(|(b, rest)| Some((b, rest.split_once('}')?)))
    else {
        return path.first() == Some(first) && follow(pattern, &path[1..], values);
    };
    let (name, lengths) = match (name.strip_suffix('*'), name.strip_prefix('@')) {
        (Some(name), _) => (name, 1..=path.len()),
        (None, Some(name)) if path.first().is_some_and(|scope| scope.starts_with('@')) => (name, 2..=2),
        (None, Some(name)) => (name, 1..=1),
        (None, None) => (name, 1..=1),
    };
    lengths.into_iter().any(|length| {
        let Some((taken, rest)) = path.split_at_checked(length) else { return false };
        if taken.iter().any(|segment| segment.is_empty()) {
            return false;
        }
        let count = values.len();
        let taken = taken.join("/");
        let Some(value) = taken.strip_prefix(before).and_then(|rest| rest.strip_suffix(after)) else { return false };
        values.push((name, value.to_owned()));
        let is_match = follow(pattern, rest, values);
        if !is_match {
            values.truncate(count);
        }
        is_match
    })
}

/// A time that tests use.
pub(crate) fn time() -> Timestamp {
    Timestamp::parse("2026-11-16T10:00:00Z").expect("a time")
}

/// A package without versions.
pub(crate) fn package(name: &str) -> PackageView {
    PackageView {
        name: PackageName::parse(name).expect("a name"),
        owner: "acme".to_owned(),
        created: time(),
        updated: time(),
        profile: PackageProfile::default(),
        tags: Vec::new(),
        versions: Vec::new(),
    }
}

/// A version with one file, which is inspected.
pub(crate) fn version(format: &dyn Format, name: &str, path: &str, content: &[u8]) -> VersionView {
    let path = FilePath::parse(path).expect("a path");
    let inspected = format.inspect(&path, &mut std::io::Cursor::new(content)).expect("valid");
    version_with(name, file(&path, inspected.facts, inspected.about))
}

/// A version with one file.
pub(crate) fn version_with(name: &str, file: FileView) -> VersionView {
    let name = VersionName::parse(name).expect("a version");
    VersionView { name, published: time(), marks: Vec::new(), files: vec![file] }
}

/// A published file.
pub(crate) fn file(path: &FilePath, facts: Option<Facts>, about: Option<Vec<u8>>) -> FileView {
    FileView {
        path: path.clone(),
        size_bytes: 7,
        sha256: Digest::from_bytes([0xab; 32]),
        sha1: "cd".repeat(20),
        md5: None,
        sha512: Some("00".repeat(64)),
        published: time(),
        facts,
        about,
    }
}

/// A mark.
pub(crate) fn mark(name: &str, text: &str) -> MarkView {
    MarkView { name: name.to_owned(), text: text.to_owned() }
}

/// A file of a body.
pub(crate) fn sent_file(field: &str, file_name: &str) -> SentFile {
    SentFile {
        field: field.to_owned(),
        file_name: file_name.to_owned(),
        size_bytes: 7,
        sha256: Digest::from_bytes([0xab; 32]),
        sha1: "cd".repeat(20),
        sha512: Some("00".repeat(64)),
        about: None,
    }
}
