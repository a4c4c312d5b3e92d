//! The users who may publish in a repository.

use model::id::{RepoId, SubjectId};

use crate::{
    Read, Result,
    engine::{row::row, statement::select},
};

row! {
    /// A user who may publish.
    pub struct RepoPublisher in "s" {
        /// The user's id.
        id: SubjectId,
        /// The user's name.
        name: String,
        /// The user's full name.
        full_name: String,
    }
}

/// Returns the users who may publish in a repository, by name.
pub async fn list(db: &dyn Read, repo_id: RepoId, limit: i64) -> Result<Vec<RepoPublisher>> {
    db.all(select!(
        RepoPublisher,
        "FROM subjects s
         WHERE s.kind = 'user'
             AND s.id IN (SELECT g.grantee_id FROM repo_grants g WHERE g.repo_id = $1 AND g.granted >= 2)
         ORDER BY s.name
         LIMIT $2",
        repo_id,
        limit,
    ))
    .await
}
