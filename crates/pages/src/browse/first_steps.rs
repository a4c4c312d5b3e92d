//! The check-list of a user's first day, which ends with a published package.

use model::overview::RepoOverview;

use super::release_rows::ReleaseRow;
use crate::address;

/// With more packages than these, a user needs no check-list.
const FEW_PACKAGES: i64 = 3;

/// A step of the check-list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Step {
    pub(crate) title: &'static str,
    pub(crate) text: &'static str,
    /// Where the step is done; empty if it has no page.
    pub(crate) address: String,
    pub(crate) is_done: bool,
}

/// Returns the steps until the user has published a package; then none. `draft` is the page of a version that waits to be
/// published.
pub(crate) fn steps(user: &str, repos: &[RepoOverview], releases: &[ReleaseRow], draft: Option<&str>) -> Vec<Step> {
    let packages: i64 = repos.iter().map(|repo| repo.package_count).sum();
    let is_own =
        |release: &ReleaseRow| repos.iter().any(|repo| release.place == format!("{}/{}", repo.owner, repo.name));
    if packages > FEW_PACKAGES || releases.iter().any(is_own) {
        return Vec::new();
    }
    let repo = repos.iter().max_by_key(|repo| repo.package_count);
    let repo_address = repo.map(|repo| address::path([repo.owner.as_str(), repo.name.as_str()])).unwrap_or_default();
    vec![
        Step {
            title: "Create a repository",
            text: "It holds the packages of one format.",
            address: format!("/-/new/repo{}", address::path([user])),
            is_done: repo.is_some(),
        },
        Step {
            title: "Upload a first version",
            text: "The page of the repository has the commands for your package manager.",
            address: repo_address,
            is_done: draft.is_some(),
        },
        Step {
            title: "Publish it",
            text: "Uploaded files are staged: others see them once you publish the version.",
            address: draft.unwrap_or_default().to_owned(),
            is_done: false,
        },
    ]
}

#[cfg(test)]
mod tests {
    use model::id::RepoId;

    use super::*;

    fn repo(package_count: i64) -> RepoOverview {
        RepoOverview {
            id: RepoId::new(1),
            owner: "ada".into(),
            name: "tools".into(),
            kind: "generic".into(),
            is_private: false,
            description: String::new(),
            package_count,
        }
    }

    #[test]
    fn steps_are_done_one_after_the_other() {
        let done = |repos: &[RepoOverview], draft: Option<&str>| {
            let steps = steps("ada", repos, &[], draft);
            steps.into_iter().map(|step| (step.is_done, step.address)).collect::<Vec<_>>()
        };
        let step = |is_done, address: &str| (is_done, address.to_owned());
        assert_eq!(done(&[], None), [step(false, "/-/new/repo/ada"), step(false, ""), step(false, "")]);
        let (new, place, draft) = ("/-/new/repo/ada", "/ada/tools", "/ada/tools/cat/1.0");
        assert_eq!(done(&[repo(0)], None), [step(true, new), step(false, place), step(false, "")]);
        assert_eq!(done(&[repo(1)], None), [step(true, new), step(false, place), step(false, "")], "no version yet");
        assert_eq!(done(&[repo(1)], Some(draft)), [step(true, new), step(true, place), step(false, draft)]);
        assert_eq!(done(&[repo(4)], Some(draft)), []);
    }
}
