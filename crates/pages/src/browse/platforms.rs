//! The file of a version for the visitor's platform, where there are files for several.

use model::platform::Platform;

use crate::address::query_value;

/// Endings of files that accompany others.
const COMPANIONS: &[&str] = &[".asc", ".sig", ".sha1", ".sha256", ".sha512", ".md5", ".pem", ".minisig"];

/// The platforms of a version's files.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Platforms {
    /// The platform whose file is shown; empty if the files are not for several.
    pub(crate) shown: String,
    /// The other platforms with the URLs that show their files.
    pub(crate) others: Vec<(String, String)>,
}

/// Moves the file to show to the front: that of the platform that the URL names, else the visitor's, else the first.
pub(crate) fn choose(paths: &mut [String], page: &str, asked: &str, agent: &str) -> Platforms {
    let mut found: Vec<(Choice, usize)> = Vec::new();
    for (place, path) in paths.iter().enumerate() {
        if let Some(choice) = Choice::of(path).filter(|choice| !found.iter().any(|(known, _)| known == choice)) {
            found.push((choice, place));
        }
    }
    if found.iter().filter(|(choice, _)| matches!(choice, Choice::Built(_))).count() < 2 {
        return Platforms::default();
    }
    found.sort_unstable();
    let is_asked = |(choice, _): &&(Choice, usize)| choice.key() == asked;
    let chosen = found.iter().find(is_asked).or_else(|| nearest(&found, Platform::of_browser(agent)?));
    let (chosen, place) = *chosen.unwrap_or(&found[0]);
    let others = found.iter().filter(|(choice, _)| *choice != chosen);
    let link = |choice: Choice| (choice.title(), format!("{page}?platform={}", query_value(&choice.key())));
    let others = others.map(|(choice, _)| link(*choice)).collect();
    paths[..=place].rotate_right(1);
    Platforms { shown: chosen.title(), others }
}

/// What a file was built for, in words; empty if its name does not say so.
pub(crate) fn title(name: &str) -> String {
    Choice::of(name).map(Choice::title).unwrap_or_default()
}

/// The file for this platform; else one for the same system.
fn nearest(found: &[(Choice, usize)], wanted: Platform) -> Option<&(Choice, usize)> {
    let is_same = |(choice, _): &&(Choice, usize)| *choice == Choice::Built(wanted);
    let is_near =
        |(choice, _): &&(Choice, usize)| matches!(choice, Choice::Built(built) if built.system == wanted.system);
    found.iter().find(is_same).or_else(|| found.iter().find(is_near))
}

/// What a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Choice {
    Built(Platform),
    Source,
}

impl Choice {
    fn of(path: &str) -> Option<Self> {
        let name = path.rsplit('/').next().unwrap_or_default();
        if COMPANIONS.iter().any(|ending| name.ends_with(ending)) {
            return None;
        }
        let is_source = || name.split(['-', '_', '.']).any(|part| part == "src" || part == "source");
        Platform::of_file(name).map(Self::Built).or_else(|| is_source().then_some(Self::Source))
    }

    fn key(self) -> String {
        match self {
            Self::Built(platform) => platform.key(),
            Self::Source => "source".to_owned(),
        }
    }

    fn title(self) -> String {
        match self {
            Self::Built(platform) => platform.title(),
            Self::Source => "Source".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths() -> Vec<String> {
        ["a-darwin-arm64.zip", "a-darwin-arm64.zip.asc", "a-linux-x86_64.tgz", "a-linux-arm64.tgz", "a-src.tgz"]
            .map(str::to_owned)
            .to_vec()
    }

    #[test]
    fn the_file_of_the_visitors_platform_comes_first() {
        let first = |asked: &str, agent: &str| {
            let mut paths = paths();
            let platforms = choose(&mut paths, "/a", asked, agent);
            assert_eq!((paths.len(), platforms.others.len()), (5, 3));
            (paths.swap_remove(0), platforms.shown)
        };
        let told = |path: &str, shown: &str| (path.to_owned(), shown.to_owned());
        assert_eq!(first("", "X11; Linux aarch64"), told("a-linux-arm64.tgz", "Linux arm64"));
        assert_eq!(first("", "Intel Mac OS X"), told("a-darwin-arm64.zip", "macOS arm64"));
        assert_eq!(first("", "X11; FreeBSD amd64"), told("a-linux-x86_64.tgz", "Linux x86-64"));
        assert_eq!(first("source", "Intel Mac OS X"), told("a-src.tgz", "Source"));
        assert_eq!(first("amiga", ""), told("a-linux-x86_64.tgz", "Linux x86-64"));
    }

    #[test]
    fn others_have_a_url() {
        let platforms = choose(&mut paths(), "/ada/tools/a", "source", "");
        let link = ("macOS arm64".to_owned(), "/ada/tools/a?platform=macos-arm64".to_owned());
        assert!(platforms.others.contains(&link), "{platforms:?}");
    }

    #[test]
    fn files_for_one_platform_offer_no_choice() {
        let mut paths = vec!["a-1.0.txt".to_owned(), "a-linux-x86_64.tgz".to_owned()];
        assert_eq!(choose(&mut paths, "/a", "", ""), Platforms::default());
        assert_eq!(paths[0], "a-1.0.txt");
    }
}
