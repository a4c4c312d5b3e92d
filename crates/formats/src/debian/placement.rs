//! The suites, components and architectures that list a file.

use std::fmt;

use super::{
    names::{check_component, check_word},
    stream::PackagesStream,
};

/// The maximum number of suites, components or architectures of a file, and of suites in a repository.
pub const SUITES: usize = 100;

/// The upload parameters of a file; each is a list with commas.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct DebPlacementRequest<'a> {
    /// `deb_distribution`.
    pub suites: Option<&'a str>,
    /// `deb_component`.
    pub components: Option<&'a str>,
    /// `deb_architecture`.
    pub architectures: Option<&'a str>,
}

/// The suites, components and architectures that list a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DebPlacement {
    /// The suites.
    pub suites: Vec<String>,
    /// The components.
    pub components: Vec<String>,
    /// The architectures; `all`, or `source` for source packages.
    pub architectures: Vec<String>,
}

impl DebPlacement {
    /// The placement of a file: by its upload parameters, then by the repository's defaults, then, for the
    /// architecture, by the package.
    pub fn resolve(
        request: &DebPlacementRequest<'_>,
        defaults: &DebPlacementRequest<'_>,
        architecture: &str,
    ) -> Result<Self, String> {
        let suites = request.suites.or(defaults.suites).ok_or("it needs a distribution: set `deb_distribution`")?;
        let components =
            request.components.or(defaults.components).ok_or("it needs a component: set `deb_component`")?;
        let wanted = request.architectures.or(defaults.architectures.filter(|_| architecture == "all"));
        let architectures = list("architectures", wanted.unwrap_or(architecture))?;
        // A package for one architecture is of no use to another.
        if architecture != "all" && architectures.iter().any(|wanted| wanted != architecture) {
            return Err(format!(
                "the package is for the architecture '{architecture}', not for '{}'",
                architectures.join(",")
            ));
        }
        Self { suites: list("suites", suites)?, components: list("components", components)?, architectures }.checked()
    }

    fn checked(self) -> Result<Self, String> {
        self.suites.iter().try_for_each(|suite| check_word("a suite", suite))?;
        self.components.iter().try_for_each(|component| check_component(component))?;
        self.architectures.iter().try_for_each(|architecture| check_word("an architecture", architecture))?;
        Ok(self)
    }

    /// Parses the text form.
    pub fn parse(key: &str) -> Result<Self, String> {
        let [suites, components, architectures] = key.split(';').collect::<Vec<_>>()[..] else {
            return Err("the placement has not three parts".to_owned());
        };
        let architectures = list("architectures", architectures)?;
        Self { suites: list("suites", suites)?, components: list("components", components)?, architectures }.checked()
    }

    /// The streams that list the file for itself. Those of each architecture share the entries of the one for `all`.
    pub fn streams(&self) -> Vec<PackagesStream> {
        let mut streams = Vec::new();
        for (suite, component) in
            self.suites.iter().flat_map(|suite| self.components.iter().map(move |component| (suite, component)))
        {
            streams.extend(self.architectures.iter().map(|architecture| PackagesStream {
                suite: suite.clone(),
                component: component.clone(),
                architecture: architecture.clone(),
                is_contents: false,
            }));
        }
        streams
    }
}

/// The text form, which is stored in the file's row: `stable,testing;main;amd64`.
impl fmt::Display for DebPlacement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};{};{}", self.suites.join(","), self.components.join(","), self.architectures.join(","))
    }
}

/// Splits a native upload path, `<suite>/<component>/<file>`, into its three parts.
pub fn split_upload(path: &str) -> Result<(&str, &str, &str), String> {
    let parts = path.rsplit_once('/').and_then(|(folder, file)| Some((folder.split_once('/')?, file)));
    let Some(((suite, component), file)) = parts else {
        return Err("an upload goes to <suite>/<component>/<file>".to_owned());
    };
    check_word("a suite", suite)?;
    check_component(component)?;
    Ok((suite, component, file))
}

/// Splits a list with commas, without blanks and doubles.
fn list(what: &str, text: &str) -> Result<Vec<String>, String> {
    let mut words: Vec<String> = Vec::new();
    for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
        if !words.iter().any(|known| known == word) {
            words.push(word.to_owned());
        }
        if words.len() > SUITES {
            return Err(format!("a file has at most {SUITES} {what}"));
        }
    }
    if words.is_empty() { Err(format!("the list of {what} is empty")) } else { Ok(words) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request<'a>(suites: &'a str, components: &'a str) -> DebPlacementRequest<'a> {
        DebPlacementRequest { suites: Some(suites), components: Some(components), architectures: None }
    }

    fn streams(placement: &DebPlacement) -> Vec<String> {
        placement.streams().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn parameters_come_before_defaults() {
        let (asked, defaults) = (request("stable, testing,stable", "updates/main"), request("sid", "main"));
        let placement = DebPlacement::resolve(&asked, &defaults, "amd64").expect("valid");
        assert_eq!(placement.to_string(), "stable,testing;updates/main;amd64");
        assert_eq!(DebPlacement::parse(&placement.to_string()), Ok(placement.clone()));
        assert_eq!(streams(&placement), ["stable/updates/main/amd64", "testing/updates/main/amd64"]);
        let placement = DebPlacement::resolve(&DebPlacementRequest::default(), &defaults, "amd64").expect("valid");
        assert_eq!(placement.to_string(), "sid;main;amd64");
        assert!(
            DebPlacement::resolve(&DebPlacementRequest::default(), &DebPlacementRequest::default(), "amd64").is_err()
        );
    }

    #[test]
    fn a_package_for_all_can_be_limited() {
        let asked = request("stable", "main");
        let all = DebPlacement::resolve(&asked, &asked, "all").expect("valid");
        assert_eq!(streams(&all), ["stable/main/all"]);
        let two = DebPlacementRequest { architectures: Some("amd64,i386"), ..asked };
        let limited = DebPlacement::resolve(&two, &asked, "all").expect("valid");
        assert_eq!(streams(&limited), ["stable/main/amd64", "stable/main/i386"]);
        assert!(DebPlacement::resolve(&two, &asked, "amd64").is_err());
    }

    #[test]
    fn bad_names_and_long_lists_are_refused() {
        let resolve = |request: DebPlacementRequest<'_>| DebPlacement::resolve(&request, &request, "amd64");
        assert_eq!(resolve(request("../..", "main")), Err("'../..' is not the name of a suite".to_owned()));
        assert_eq!(resolve(request("stable", "a/b/c")), Err("'a/b/c' is not the name of a component".to_owned()));
        assert_eq!(resolve(request("", "main")), Err("the list of suites is empty".to_owned()));
        let many: Vec<String> = (0..10_000).map(|number| format!("s{number}")).collect();
        assert_eq!(resolve(request(&many.join(","), "main")), Err("a file has at most 100 suites".to_owned()));
    }

    #[test]
    fn uploads_name_suite_and_component() {
        assert_eq!(split_upload("stable/main/a.deb"), Ok(("stable", "main", "a.deb")));
        assert_eq!(split_upload("stable/updates/main/a.deb"), Ok(("stable", "updates/main", "a.deb")));
        for bad in ["a.deb", "stable/a.deb", "s/a/b/c/a.deb", "../main/a.deb"] {
            assert!(split_upload(bad).is_err(), "{bad}");
        }
    }
}
