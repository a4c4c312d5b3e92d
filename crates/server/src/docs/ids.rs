//! The names of the calls in generated clients.

use axum::http::Method;

use crate::endpoints::Endpoint;

/// The things that calls are about, from the innermost to the outermost.
const THINGS: [&str; 6] = ["{version}", "{package}", "{product}", "{repo}", "{org}", "{user}"];

/// The names of the calls: those of their handlers. A handler of several calls is followed by what the call is about,
/// and by the method of further calls about the same.
pub(super) fn of_operations(endpoints: &[Endpoint]) -> Vec<String> {
    let names: Vec<String> = endpoints.iter().map(name).collect();
    let all = || endpoints.iter().zip(&names);
    let id = |(endpoint, name): (&Endpoint, &String)| {
        if names.iter().filter(|other| *other == name).count() == 1 {
            return name.clone();
        }
        let is_same = |other: &Endpoint, same: &String| same == name && thing(other) == thing(endpoint);
        let about = format!("{name}_of_{}", thing(endpoint));
        if endpoint.method == Method::GET || all().filter(|(other, same)| is_same(other, same)).count() == 1 {
            return about;
        }
        format!("{about}_by_{}", endpoint.method.as_str().to_lowercase())
    };
    all().map(id).collect()
}

/// The handler of a call. Without one of its own, the summary, or the end of the path for statistics.
fn name(endpoint: &Endpoint) -> String {
    match endpoint.handler {
        "" => endpoint.summary.to_lowercase().replace(' ', "_"),
        handler if handler.contains('{') => {
            format!("show_{}", endpoint.path.rsplit('/').next().unwrap_or_default())
        }
        handler => handler.to_owned(),
    }
}

fn thing(endpoint: &Endpoint) -> &'static str {
    let found = THINGS.into_iter().find(|thing| endpoint.path.contains(thing));
    found.unwrap_or("{server}").trim_matches(['{', '}'])
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::endpoints::endpoints;

    #[test]
    fn every_call_has_a_name_of_its_own() {
        let ids = of_operations(&endpoints());
        let different: BTreeSet<&str> = ids.iter().map(String::as_str).collect();
        assert_eq!(different.len(), ids.len(), "{ids:?}");
        let is_name = |id: &&str| id.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        assert!(different.iter().all(is_name), "{ids:?}");
        for id in ["create_access_key_of_org", "sign_all_files_of_a_version", "show_total_downloads_of_version_by_post"]
        {
            assert!(different.contains(id), "{id}: {ids:?}");
        }
    }
}
