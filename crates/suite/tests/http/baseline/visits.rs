//! The browsers of callers, and the links of the pages that they open.

use std::collections::BTreeSet;

use suite::Browser;

use super::scene::Scene;

/// Names of things in the scene, in the filled house of other tests, and of things that forms create: all count as
/// equal.
const NAMES: [&str; 26] = [
    "acme", "ada", "admin", "mary", "stan", "bea", "other", "tools", "mirror", "secret", "jars", "fresh", "cat", "dog",
    "lib", "bird", "1.0", "2.0", "3.0", "sample", "guest", "devs", "bin", "cat.tar", "dog.tar", "a.txt",
];

/// Pages about a file, whose path may have any number of segments.
const ABOUT_FILES: [&str; 4] = ["/-/files/*/*/", "/-/delete/file/*/*/", "/-/signed-url/*/*/", "/-/upload/*/*/*/*/"];

/// Browsers in which the callers are signed in.
pub(super) struct Visitors {
    anonymous: Browser,
    signed_in: Vec<(&'static str, Browser)>,
}

impl Visitors {
    pub(super) async fn new(scene: &Scene) -> Self {
        let mut signed_in = Vec::new();
        for name in ["stranger", "owner", "admin"] {
            let (browser, person) = (scene.house.browser(), scene.callers.get(name));
            browser.sign_in(person.name(), person.key()).await.expect(303);
            signed_in.push((name, browser));
        }
        Self { anonymous: scene.house.browser(), signed_in }
    }

    /// Returns the browser of the caller with this name.
    pub(super) fn get(&self, name: &str) -> &Browser {
        let found = self.signed_in.iter().find(|(known, _)| *known == name);
        found.map_or(&self.anonymous, |(_, browser)| browser)
    }

    /// Returns the token of the forms on this page for this visitor; empty if the page has none.
    pub(super) async fn form_token(&self, name: &str, page: &str) -> String {
        let page = self.get(name).open(page).await.text();
        let token = page.split_once("name=\"form_token\" value=\"").and_then(|(_, rest)| rest.split('"').next());
        token.unwrap_or_default().to_owned()
    }
}

/// Returns the shape of a path: the part that all things of a kind share.
pub(super) fn shape(address: &str) -> String {
    let path = address.split(['?', '#']).next().unwrap_or_default();
    // The fixed words of a path come before the names.
    let mut is_word = path.starts_with("/-/") || path.starts_with("/account");
    let mut shaped = String::new();
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        let is_name = NAMES.contains(&segment) && !(is_word && segment == "admin");
        shaped += if is_name { "/*" } else { "/" };
        shaped += if is_name { "" } else { segment };
        is_word = is_word && !is_name && segment == "-";
    }
    match ABOUT_FILES.into_iter().find(|start| shaped.starts_with(start)) {
        Some(start) => format!("{start}.."),
        None if shaped.is_empty() => "/".to_owned(),
        None => shaped,
    }
}

/// Returns the shapes of the paths that a page links to, and of those that its forms are sent to.
pub(super) fn ways(page: &str, own: &str) -> BTreeSet<String> {
    let links = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let links = links.map(|link| link.strip_prefix(own).unwrap_or(link)).filter(|link| link.starts_with('/'));
    let is_surface = |link: &str| ["/api", "/dl", "/assets"].iter().any(|surface| link.starts_with(surface));
    let is_page = |link: &&str| !is_surface(link) && !link.ends_with(".log.gz");
    let links = links.filter(is_page).map(|link| format!("GET {}", shape(link)));
    let forms = page.split("action=\"").skip(1).filter_map(|rest| rest.split_once("\" method=\"post\""));
    let forms = forms.filter(|(action, _)| !action.contains('"')).map(|(action, _)| format!("POST {}", shape(action)));
    links.chain(forms).collect()
}
