//! Identities of users at sign-in providers: the issuer, and the subject that it names.

use model::{id::SubjectId, timestamp::Timestamp};

use crate::{
    Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    /// An identity of a user.
    pub struct Identity {
        /// The issuer.
        issuer: String,
        /// The subject that the issuer names.
        subject: String,
    }
}

/// Returns the id of the user with this identity.
pub async fn find_user_id(db: &dyn Read, issuer: &str, subject: &str) -> Result<Option<SubjectId>> {
    db.one(sql!("SELECT user_id FROM identities WHERE issuer = $1 AND subject = $2", issuer, subject).looking_up())
        .await
}

/// Returns the identities of a user.
pub async fn list_of_user(db: &dyn Read, user_id: SubjectId) -> Result<Vec<Identity>> {
    db.all(select!(Identity, "FROM identities WHERE user_id = $1 ORDER BY issuer, subject", user_id)).await
}

/// Gives a user an identity. One that a user has already is a conflict.
pub async fn insert(tx: &mut Tx, issuer: &str, subject: &str, user_id: SubjectId, now: Timestamp) -> Result<()> {
    tx.run(insert!(identities { issuer, subject, user_id, created: now })).await?;
    Ok(())
}

/// Removes all identities of a user; returns how many there were.
pub async fn delete_of_user(tx: &mut Tx, user_id: SubjectId) -> Result<u64> {
    tx.run(sql!("DELETE FROM identities WHERE user_id = $1", user_id).long()).await
}
