//! Names of images: `<subject>/<repository>/<image>`, where an image may have several parts.

use model::names::PackageName;

use super::error::{OciError, OciErrorCode};
use crate::readers::quoted;

/// The maximum length of a whole name.
const NAME_BYTES: usize = 255;

/// The name of an image below `/v2/`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct ImageName {
    /// The subject; subjects are found without regard to case.
    pub subject: String,
    /// The repository; repositories are found without regard to case.
    pub repo: String,
    /// The image, with `/` between its parts.
    pub image: String,
}

impl ImageName {
    /// Parses a whole name. It needs at least three parts.
    pub fn parse(text: &str) -> Result<Self, OciError> {
        let invalid = |reason: &str| {
            let message = format!("image name '{}' is not valid: {reason}", quoted(text));
            Err(OciError::new(OciErrorCode::NameInvalid, message))
        };
        if text.len() > NAME_BYTES {
            return invalid("it is longer than 255 characters");
        }
        if let Some(part) = text.split('/').find(|part| !is_part(part)) {
            let reason = match part {
                "" => "a part is empty",
                part if part.contains(|c: char| c.is_ascii_uppercase()) => "it contains upper-case letters",
                _ => "parts consist of a-z and 0-9, with one '.', '_', '__' or some '-' between them",
            };
            return invalid(reason);
        }
        let mut parts = text.splitn(3, '/');
        match (parts.next(), parts.next(), parts.next()) {
            (Some(subject), Some(repo), Some(image)) => {
                Ok(Self { subject: subject.to_owned(), repo: repo.to_owned(), image: image.to_owned() })
            }
            _ => invalid("it needs subject, repository and image"),
        }
    }

    /// The package of the image.
    pub fn package(&self) -> Result<PackageName, OciError> {
        package_of_image(&self.image)
    }
}

impl std::fmt::Display for ImageName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}/{}/{}", self.subject, self.repo, self.image)
    }
}

/// The package of an image: `team/app` is `team:app`.
pub fn package_of_image(image: &str) -> Result<PackageName, OciError> {
    let name = PackageName::parse(&image.replace('/', ":"));
    name.map_err(|error| OciError::new(OciErrorCode::NameInvalid, error.to_string()))
}

/// The image of a package, if it can be one.
pub fn image_of_package(package: &PackageName) -> Option<String> {
    let image = package.as_str().replace(':', "/");
    image.split('/').all(is_part).then_some(image)
}

/// Returns whether a part matches `[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*`.
fn is_part(part: &str) -> bool {
    let is_word = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let mut rest = part;
    loop {
        let word = rest.trim_start_matches(is_word);
        if word.len() == rest.len() {
            return false;
        }
        if word.is_empty() {
            return true;
        }
        rest = word.trim_start_matches(['.', '_', '-']);
        let separator = &word[..word.len() - rest.len()];
        if !matches!(separator, "." | "_" | "__") && (separator.is_empty() || separator.contains(['.', '_'])) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_name_has_subject_repository_and_image() {
        let name = ImageName::parse("acme/img/team/app").expect("valid");
        assert_eq!((name.subject.as_str(), name.repo.as_str(), name.image.as_str()), ("acme", "img", "team/app"));
        assert_eq!(name.package().expect("valid").as_str(), "team:app");
        assert_eq!(image_of_package(&name.package().expect("valid")), Some("team/app".to_owned()));
        assert_eq!(name.to_string(), "acme/img/team/app");
        for good in ["a/b/blobs", "a/b/manifests/tags", "a/b/a__b", "a/b/a---b", "a/b/0", "a/b/a.b_c-d"] {
            assert!(ImageName::parse(good).is_ok(), "{good}");
        }
    }

    #[test]
    fn other_names_are_refused() {
        for (text, reason) in [
            ("a/b", "it needs subject, repository and image"),
            ("", "a part is empty"),
            ("a//b", "a part is empty"),
            ("a/b/App", "it contains upper-case letters"),
            ("a/b/..", "parts consist"),
            ("a/../b/c", "parts consist"),
            ("a/b/a..b", "parts consist"),
            ("a/b/a___b", "parts consist"),
            ("a/b/a_-b", "parts consist"),
            ("a/b/-a", "parts consist"),
            ("a/b/a-", "parts consist"),
            ("a/b/a:b", "parts consist"),
            ("a/b/\u{e9}", "parts consist"),
            (&format!("a/b/{}", "x".repeat(300)), "it is longer than 255 characters"),
        ] {
            let error = ImageName::parse(text).expect_err(text);
            assert!(error.message.contains(reason), "{}", error.message);
            assert_eq!(error.code, OciErrorCode::NameInvalid);
        }
        assert_eq!(image_of_package(&PackageName::parse("Team").expect("a name")), None);
    }

    proptest! {
        #[test]
        fn images_and_packages_map_both_ways(
            image in "[a-z0-9]{1,5}((\\.|_|__|-{1,3})[a-z0-9]{1,5}){0,2}(/[a-z0-9]{1,9}){0,3}",
        ) {
            let name = ImageName::parse(&format!("a/b/{image}")).expect("valid");
            prop_assert_eq!(image_of_package(&name.package().expect("valid")), Some(image));
        }

        #[test]
        fn any_text_is_parsed_or_refused(text in "\\PC{0,20}") {
            let _ = ImageName::parse(&text);
        }
    }
}
