//! Parts of the lines that people paste.

use operations::format::CommandPlace;

/// The name that stands for the API key of the reader.
pub(crate) const KEY: &str = "API_KEY";

/// The name of the reader, or the word that stands for it.
pub(crate) fn user<'a>(place: &CommandPlace<'a>) -> &'a str {
    place.user.unwrap_or("USER")
}

/// The URL of the repository without its scheme.
pub(crate) fn without_scheme<'a>(place: &CommandPlace<'a>) -> &'a str {
    place.base.split_once("://").map_or(place.base, |(_, rest)| rest)
}

/// The host of the repository, with its port if it has one.
pub(crate) fn host<'a>(place: &CommandPlace<'a>) -> &'a str {
    without_scheme(place).split('/').next().unwrap_or_default()
}

/// The URL of the repository, with credentials if it asks for them.
pub(crate) fn with_credentials(place: &CommandPlace<'_>) -> String {
    match place.base.split_once("://") {
        Some((scheme, rest)) if place.is_private => {
            // The name of an access key contains the sign that ends the credentials of a URL.
            format!("{scheme}://{}:{KEY}@{rest}", user(place).replace('@', "%40"))
        }
        _ => place.base.to_owned(),
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A place for tests of commands.
    pub(crate) fn place<'a>(package: Option<&'a str>, is_private: bool) -> CommandPlace<'a> {
        CommandPlace {
            base: "https://example.org/dl/acme/repo",
            owner: "acme",
            repo: "repo",
            package,
            version: None,
            user: Some("ada"),
            is_private,
            paths: &[],
        }
    }

    #[test]
    fn credentials_are_in_the_url_of_private_repositories_only() {
        assert_eq!(with_credentials(&place(None, true)), "https://ada:API_KEY@example.org/dl/acme/repo");
        assert_eq!(with_credentials(&place(None, false)), "https://example.org/dl/acme/repo");
        let anonymous = CommandPlace { user: None, ..place(None, true) };
        assert_eq!(with_credentials(&anonymous), "https://USER:API_KEY@example.org/dl/acme/repo");
        assert_eq!(without_scheme(&anonymous), "example.org/dl/acme/repo");
        assert_eq!(host(&anonymous), "example.org");
    }
}
