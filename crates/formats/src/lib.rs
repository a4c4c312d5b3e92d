//! Repository formats: one folder for each, and one line in [`FORMATS`].
//!
//! A format knows its paths and its index files. Other crates store, publish, sign and count.

pub mod accept;
pub mod alpine;
pub mod arch;
pub mod base;
pub mod cargo;
pub mod composer;
pub mod conan;
pub mod conda;
pub mod cran;
pub mod debian;
pub mod documents;
pub mod generic;
pub mod go;
pub mod helm;
pub mod indexed;
pub mod maven;
pub mod npm;
pub mod nuget;
pub mod oci;
pub mod opkg;
pub mod pypi;
pub mod readers;
pub mod rubygems;
pub mod vagrant;

mod paste;
mod profile;
mod put_native;
pub mod rpm;
#[cfg(test)]
mod samples;
pub mod tar_text;

#[cfg(test)]
mod native_samples;
#[cfg(test)]
mod oracle;
#[cfg(test)]
mod route_tests;

use operations::format::Format;

/// Every format with rules of its own. The first one is used for all other repository types.
pub const FORMATS: &[&dyn Format] = &[
    &generic::Generic,
    &maven::Maven,
    &pypi::format::Pypi,
    &cargo::format::Cargo,
    &npm::format::Npm,
    &oci::Docker,
    &helm::Helm,
    &debian::Debian,
    &rpm::Rpm,
    &opkg::Opkg,
    &cran::Cran,
    &composer::Composer,
    &go::Go,
    &vagrant::Vagrant,
    &rubygems::Rubygems,
    &nuget::Nuget,
    &conan::Conan,
    &alpine::Alpine,
    &arch::Arch,
    &conda::Conda,
];

/// Returns the format of a repository type; types without a format use the generic one.
pub fn find(name: &str) -> &'static dyn Format {
    FORMATS.iter().copied().find(|format| format.name() == name).unwrap_or(&generic::Generic)
}

#[cfg(test)]
mod tests {
    use model::repo_type;

    use super::*;

    #[test]
    fn a_type_without_its_own_format_is_generic() {
        assert_eq!(find("generic").name(), "generic");
        assert_eq!(find("punch cards").name(), "generic");
        assert_eq!(find("unknown").name(), "generic");
    }

    #[test]
    fn every_format_is_a_type_of_repositories() {
        let names: Vec<&str> = FORMATS.iter().map(|format| format.name()).collect();
        for name in &names {
            assert_eq!(repo_type::parse(name), Some(*name));
            assert_eq!(names.iter().filter(|other| *other == name).count(), 1, "{name}");
        }
        assert_eq!(names[0], repo_type::DEFAULT_REPO_TYPE);
        assert_eq!(FORMATS.iter().filter(|format| format.names_versions()).count(), 1);
    }

    #[test]
    fn a_format_is_found_by_its_name() {
        assert_eq!(find("maven").name(), "maven");
        assert_eq!(find("docker").name(), "docker");
    }
}
