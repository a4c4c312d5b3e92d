//! Names of distribution files.

use super::{name::ProjectName, version::PypiVersion};
use crate::readers::quoted;

/// The kind of a distribution file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Distribution {
    /// A wheel.
    Wheel(WheelTags),
    /// A source distribution as a tar.gz.
    SourceTar,
    /// A source distribution as a zip.
    SourceZip,
}

/// The last parts of a wheel's name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WheelTags {
    /// The build tag, which begins with a digit.
    pub build: Option<String>,
    /// The versions of Python, with `.` between them.
    pub python: String,
    /// The binary interfaces, with `.` between them.
    pub abi: String,
    /// The platforms, with `.` between them.
    pub platform: String,
}

/// A parsed name of a distribution file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DistributionName {
    /// The name of the file itself.
    pub file_name: String,
    /// The project.
    pub project: ProjectName,
    /// The version.
    pub version: PypiVersion,
    /// The kind, with the tags of a wheel.
    pub kind: Distribution,
}

impl DistributionName {
    /// Parses the name of a wheel or of a source distribution.
    pub fn parse(file_name: &str) -> Result<Self, String> {
        let parsed = check_characters(file_name).and_then(|()| Self::parse_parts(file_name));
        parsed.map_err(|reason| format!("file name '{}' is not valid: {reason}", quoted(file_name)))
    }

    fn parse_parts(file_name: &str) -> Result<Self, String> {
        if let Some(stem) = file_name.strip_suffix(".whl") {
            let (project, version, tags) = parse_wheel(stem)?;
            return Self::new(file_name, project, version, Distribution::Wheel(tags));
        }
        let tar = file_name.strip_suffix(".tar.gz").map(|stem| (stem, Distribution::SourceTar));
        let zip = || file_name.strip_suffix(".zip").map(|stem| (stem, Distribution::SourceZip));
        let (stem, kind) = tar.or_else(zip).ok_or("only .whl, .tar.gz and .zip files are distributions")?;
        let (project, version) = stem.rsplit_once('-').ok_or("it has no version")?;
        Self::new(file_name, project, version, kind)
    }

    fn new(file_name: &str, project: &str, version: &str, kind: Distribution) -> Result<Self, String> {
        let (project, version) = (ProjectName::parse(project)?, PypiVersion::parse(version)?);
        Ok(Self { file_name: file_name.to_owned(), project, version, kind })
    }

    /// Returns whether it is a wheel.
    pub fn is_wheel(&self) -> bool {
        matches!(self.kind, Distribution::Wheel(_))
    }
}

fn check_characters(file_name: &str) -> Result<(), String> {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-' | b'+' | b'!');
    match file_name {
        _ if file_name.len() > 240 => Err("it is longer than 240 bytes".to_owned()),
        _ if !file_name.bytes().all(is_allowed) => Err("it may hold letters, digits and . _ - + ! only".to_owned()),
        _ => Ok(()),
    }
}

/// Splits the name of a wheel: project, version, an optional build tag, and three tags.
fn parse_wheel(stem: &str) -> Result<(&str, &str, WheelTags), String> {
    let parts: Vec<&str> = stem.split('-').collect();
    let (project, version, build, [python, abi, platform]) = match parts[..] {
        [project, version, python, abi, platform] => (project, version, None, [python, abi, platform]),
        [project, version, build, python, abi, platform] => (project, version, Some(build), [python, abi, platform]),
        _ => return Err("a wheel's name has five or six parts with '-' between them".to_owned()),
    };
    if project.contains("__") {
        return Err("the project has two '_' in a row".to_owned());
    }
    if build.is_some_and(|build| !build.starts_with(|first: char| first.is_ascii_digit())) {
        return Err("the build tag does not begin with a digit".to_owned());
    }
    if [python, abi, platform].iter().any(|tags| tags.split('.').any(str::is_empty)) {
        return Err("a tag is empty".to_owned());
    }
    let owned = str::to_owned;
    let tags = WheelTags { build: build.map(owned), python: owned(python), abi: owned(abi), platform: owned(platform) };
    Ok((project, version, tags))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn wheels_have_five_or_six_parts() {
        let wheel =
            DistributionName::parse("Hello_Pkg-1.0rc1-2b-cp39.cp310-abi3-manylinux_2_17_x86_64.whl").expect("valid");
        assert_eq!((wheel.project.normalized(), wheel.version.to_string().as_str()), ("hello-pkg", "1.0rc1"));
        let Distribution::Wheel(tags) = &wheel.kind else { panic!("a wheel") };
        assert_eq!(tags.build.as_deref(), Some("2b"));
        assert_eq!((tags.python.as_str(), tags.platform.as_str()), ("cp39.cp310", "manylinux_2_17_x86_64"));
        assert!(DistributionName::parse("hello-1.0-py3-none-any.whl").expect("valid").is_wheel());
    }

    #[test]
    fn source_distributions_end_with_the_version() {
        let source = DistributionName::parse("hello-pkg-1.0+cpu.1.tar.gz").expect("valid");
        assert_eq!((source.project.normalized(), source.version.to_string().as_str()), ("hello-pkg", "1.0+cpu.1"));
        assert_eq!(source.kind, Distribution::SourceTar);
        assert_eq!(DistributionName::parse("a-1.zip").expect("valid").kind, Distribution::SourceZip);
    }

    #[test]
    fn other_names_are_refused() {
        let long = format!("{}-1.0.tar.gz", "a".repeat(300));
        for bad in [
            "",
            "hello.tar.gz",
            "hello-1.0.exe",
            "hello-1.0-py3.9.egg",
            "hello-1.0.tar.bz2",
            "hello-1.0.whl",
            "hello-1.0-py3-none.whl",
            "hello-1.0-x-py3-none-any.whl",
            "hello-1.0-1-py3-none-any-x.whl",
            "hello__a-1.0-py3-none-any.whl",
            "hello-1.0-py3--any.whl",
            "hello-1.0-py3-none-a..b.whl",
            "a/hello-1.0.tar.gz",
            "a%2Fhello-1.0.tar.gz",
            "..-1.0.tar.gz",
            "../hello-1.0.tar.gz",
            "hello-1.0/../...tar.gz",
            "hello-x.tar.gz",
            "simple-1.0.tar.gz",
            "hello-1.0.tar.gz\n",
            &long,
        ] {
            assert!(DistributionName::parse(bad).is_err(), "{bad}");
        }
        let error = DistributionName::parse("hello-1.0.exe").expect_err("refused");
        assert_eq!(
            error,
            "file name 'hello-1.0.exe' is not valid: only .whl, .tar.gz and .zip files are distributions"
        );
    }

    proptest! {
        #[test]
        fn any_text_is_a_name_or_refused(text in "[a-z0-9._/%+-]{0,30}(\\.whl|\\.tar\\.gz|\\.zip)?") {
            if let Ok(name) = DistributionName::parse(&text) {
                prop_assert_eq!(name.file_name, text);
            }
        }
    }
}
