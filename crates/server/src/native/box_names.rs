//! The address at which Vagrant looks for a box by its name.

use axum::http::{Uri, request::Parts, uri::PathAndQuery};
use model::target::Target;
use operations::{Caller, Error, native};
use web::App;

use crate::downloads::repo_address;

/// Vagrant 2.4 asks for the box `<repository>/<box>` below `api/v2/vagrant` of its server, which is the URL of a subject.
const PREFIX: [&str; 3] = ["api", "v2", "vagrant"];

/// Turns `/dl/<subject>/api/v2/vagrant/<repository>/<box>` into the path of the box, unless the subject has a repository
/// `api` that the caller may see: then it is a path in there. A hidden one is like a missing one.
pub(super) async fn resolve(app: &App, caller: &Caller, parts: &mut Parts) {
    let Some(target) = parts.extensions.get::<Target>() else { return };
    let (Some((short, uri)), Some(api)) = (shortened(target, &parts.uri), repo_address(target)) else { return };
    let seen = native::check_read(app.house(), caller, &api).await;
    if matches!(seen, Err(Error::NotFound { .. } | Error::Unauthenticated(_))) {
        parts.extensions.insert(short);
        // Responses are cached by their path. The short one stays right when someone creates a repository `api`.
        parts.uri = uri;
    }
}

/// The short path of a box, if this is the long one.
fn shortened(target: &Target, uri: &Uri) -> Option<(Target, Uri)> {
    let is_name = matches!(target.segments.as_slice(), [_, _, api, version, kind, _, _]
        if [api.as_str(), version.as_str(), kind.as_str()] == PREFIX);
    let (start, rest) = uri.path().split_once("/api/v2/vagrant/").filter(|_| is_name && !target.is_folder)?;
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let path = PathAndQuery::try_from(format!("{start}/{rest}{query}")).ok()?;
    let mut uri = uri.clone().into_parts();
    uri.path_and_query = Some(path);
    let mut short = target.clone();
    short.segments.drain(2..5);
    Some((short, Uri::from_parts(uri).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_of_boxes_are_shortened() {
        let shortened = |path: &str| {
            let target = Target::parse(path, "").expect("well formed");
            let uri = Uri::try_from(format!("{path}?x=y")).expect("a URL");
            shortened(&target, &uri).map(|(target, uri)| (target.segments.join("/"), uri.to_string()))
        };
        let short = ("dl/acme/boxes/ubuntu".to_owned(), "/dl/acme/boxes/ubuntu?x=y".to_owned());
        assert_eq!(shortened("/dl/acme/api/v2/vagrant/boxes/ubuntu"), Some(short));
        for other in [
            "/dl/acme/boxes/api/v2/vagrant/ubuntu",
            "/dl/acme/api/v2/vagrant/boxes",
            "/dl/acme/api/v2/vagrant/boxes/ubuntu/",
            "/dl/acme/api/v2/vagrant/boxes/ubuntu/1.0",
            "/dl/acme/api/v1/vagrant/boxes/ubuntu",
        ] {
            assert_eq!(shortened(other), None, "{other}");
        }
    }
}
