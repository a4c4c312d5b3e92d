//! Values for tests.

use model::{
    id::{RepoId, SubjectId},
    names::{RepoName, SubjectName},
    plan::Plan,
    repo::{Repo, RepoProfile, RepoQuotas, WindowHistory},
    timestamp::Timestamp,
};

/// The repository `acme/repo` of this type.
pub(crate) fn repo(kind: &str) -> Repo {
    Repo {
        id: RepoId::new(1),
        owner_id: SubjectId::new(2),
        owner: SubjectName::parse("acme").expect("a name"),
        plan: Plan::Free,
        name: RepoName::parse("repo").expect("a name"),
        created: Timestamp::EPOCH,
        package_count: 0,
        kind: kind.to_owned(),
        window: WindowHistory::default(),
        quotas: RepoQuotas { of_repo: None, of_owner: None },
        profile: RepoProfile::default(),
    }
}
