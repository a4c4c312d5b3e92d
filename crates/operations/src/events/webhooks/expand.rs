//! URLs with placeholders: `%r` is the repository's name, `%p` the package's.

use model::address::PackageAddress;
use reqwest::Url;

use crate::{
    Error, House, Result,
    outbound::{authority, encoded},
};

/// The maximum number of characters of a URL that an error repeats.
const SHOWN: usize = 100;

/// Returns the URL that a callback goes to. Rejects a text that is not a URL, or a destination that requests may not go
/// to.
pub(super) fn check(house: &House, at: &PackageAddress, template: &str) -> Result<Url> {
    let invalid = |reason: String| Error::Invalid { field: "url", reason };
    check_template(template).map_err(|reason| invalid(reason.to_owned()))?;
    house.outgoing.check(&expand(template, at)).map_err(invalid)
}

/// Does the same for a URL from the current request: the error repeats it, without a login in it.
pub(super) fn check_given(house: &House, at: &PackageAddress, template: &str) -> Result<Url> {
    check(house, at, template).map_err(|error| match error {
        Error::Invalid { field, reason } => {
            Error::Invalid { field, reason: format!("'{}': {reason}", shown(template)) }
        }
        other => other,
    })
}

/// Returns a URL without its login, cut to a readable length.
fn shown(template: &str) -> String {
    let (scheme, rest) = template.split_once("://").unwrap_or(("", template));
    let end = rest.find(['/', '\\', '?', '#']).unwrap_or(rest.len());
    let shown = match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://***{}", &rest[at..]),
        None => template.to_owned(),
    };
    shown.chars().filter(|c| !c.is_control()).take(SHOWN).collect()
}

/// Returns the destination of a callback without the path and query, for users who may see the webhook but need not
/// know all of it.
pub(super) fn origin(url: &Url) -> String {
    url.origin().ascii_serialization()
}

/// Fills in the names, percent-encoded, in one pass: inserted text is not expanded again.
pub(super) fn expand(template: &str, at: &PackageAddress) -> String {
    let mut parts = template.split('%');
    let mut address = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.as_bytes().first() {
            Some(b'r') => address.extend([encoded(at.repo.repo.as_str()).as_str(), &part[1..]]),
            Some(b'p') => address.extend([encoded(at.package.as_str()).as_str(), &part[1..]]),
            _ => address.extend(["%", part]),
        }
    }
    address
}

/// Rejects placeholders before the path.
fn check_template(template: &str) -> std::result::Result<(), &'static str> {
    let authority = authority(template)?;
    if authority.contains("%r") || authority.contains("%p") {
        return Err("%r and %p are not allowed before the path");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use model::{
        address::RepoAddress,
        names::{PackageName, RepoName, SubjectName},
    };
    use proptest::prelude::*;

    use super::*;

    fn at(repo: &str, package: &str) -> PackageAddress {
        PackageAddress {
            repo: RepoAddress {
                owner: SubjectName::parse("ada").expect("a name"),
                repo: RepoName::parse(repo).expect("a name"),
            },
            package: PackageName::parse(package).expect("a name"),
        }
    }

    #[test]
    fn names_are_filled_in_once_and_encoded() {
        let at = at("tools", "a b:c@d+é&x=1");
        let name = "a%20b%3Ac%40d%2B%C3%A9%26x%3D1";
        for (template, expanded) in [
            ("https://h/x", "https://h/x".to_owned()),
            ("https://h/%r/%p?p=%p#%r", format!("https://h/tools/{name}?p={name}#tools")),
            ("https://h/%20%2F%", "https://h/%20%2F%".to_owned()),
            ("https://h/%R%P%q", "https://h/%R%P%q".to_owned()),
            ("https://h/%%rp", "https://h/%toolsp".to_owned()),
            ("https://h/%é%r", "https://h/%étools".to_owned()),
        ] {
            assert_eq!(expand(template, &at), expanded, "{template}");
        }
    }

    #[test]
    fn names_stand_in_the_path_or_behind_it() {
        for good in ["http://h/%r", "HTTPS://h:8443?x=%p", "https://h#%p", "https://h/a%20b", "https://h\\%r"] {
            assert_eq!(check_template(good), Ok(()), "{good}");
        }
        for bad in [
            "https://%r/x",
            "https://%r.example.org/",
            "https://example.org:%p/",
            "https://%p@example.org/",
            "https://ada:%p@example.org/",
            "https:///%r/",
            "https:////%r",
            "https://\\%r",
            "https:/%r/x",
            "https:%r/x",
            "%r://example.org/",
            "http%r://example.org/",
            " https://example.org/",
            "https://example.org/ ",
            "https://exa\tmple.org/",
            "https:/\n/%r/",
            "https:\\\\%r/",
            "//example.org/",
            "example.org/%r",
            "",
        ] {
            assert!(check_template(bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_name_ever_changes_the_host(
            template in "(https?|HTTP)://[a-z.:@%rp\\\\/?#\\[\\]0-9]{0,12}(/|%r|%p|[a-z.?#&=@:\\\\]){0,12}",
            repo in "[A-Za-z0-9][A-Za-z0-9._-]{0,8}",
            package in "[ -~é]{1,12}",
        ) {
            let (Ok(()), Ok(package)) = (check_template(&template), PackageName::parse(&package)) else {
                return Ok(());
            };
            let at = PackageAddress { package, ..at(&repo, "x") };
            let plain = template.replace("%r", "x").replace("%p", "x");
            if let (Ok(plain), Ok(expanded)) = (Url::parse(&plain), Url::parse(&expand(&template, &at))) {
                prop_assert_eq!(plain.origin(), expanded.origin());
                prop_assert_eq!(plain.username(), expanded.username());
            }
        }
    }
}
