//! Users and organisations.

use model::{
    id::SubjectId,
    names::SubjectName,
    page::PageRequest,
    plan::Plan,
    prefix::NameRange,
    subject::{Subject, SubjectKind},
    timestamp::Timestamp,
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        invalidation::Invalidation,
        row::row,
        statement::{insert, select, sql},
    },
};

row! {
    pub(crate) struct SubjectRow in "s" {
        id: SubjectId, kind: String, name: String, full_name: String, email: Option<String>, has_verified_email: bool = "(COALESCE(s.verified_email, '') = COALESCE(s.email, '-'))",
        plan: String,
        is_site_admin: bool, is_suspended: bool = "(s.suspended IS NOT NULL)", requires_second_factor: bool,
        requires_single_sign_on: bool, registered: i64,
    }
}

impl TryFrom<SubjectRow> for Subject {
    type Error = Error;

    fn try_from(row: SubjectRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("subject {} has a damaged row", row.id));
        Ok(Subject {
            id: row.id,
            kind: if row.kind == "user" { SubjectKind::User } else { SubjectKind::Org },
            name: SubjectName::parse(&row.name).map_err(|_| damaged())?,
            full_name: row.full_name,
            email: row.email,
            has_verified_email: row.has_verified_email,
            plan: Plan::parse(&row.plan).ok_or_else(damaged)?,
            is_site_admin: row.is_site_admin,
            is_suspended: row.is_suspended,
            requires_second_factor: row.requires_second_factor,
            requires_single_sign_on: row.requires_single_sign_on,
            registered: Timestamp::from_millis(row.registered),
        })
    }
}

/// Returns the subject with this name.
pub async fn find(db: &dyn Read, name: &SubjectName) -> Result<Option<Subject>> {
    let row: Option<SubjectRow> = db.one(select!(SubjectRow, "FROM subjects s WHERE s.name = $1", name)).await?;
    row.map(Subject::try_from).transpose()
}

/// Returns whether a subject has this name, in any letter case.
pub async fn is_taken(db: &dyn Read, name: &SubjectName) -> Result<bool> {
    let found: Option<SubjectId> =
        db.one(sql!("SELECT id FROM subjects WHERE folded_name = $1", name.folded())).await?;
    Ok(found.is_some())
}

/// Returns the subject with this id.
pub async fn find_by_id(db: &dyn Read, id: SubjectId) -> Result<Option<Subject>> {
    let row: Option<SubjectRow> = db.one(select!(SubjectRow, "FROM subjects s WHERE s.id = $1", id)).await?;
    row.map(Subject::try_from).transpose()
}

/// Returns the subject with this id, unless it is suspended: its credentials are good for nothing then.
pub async fn find_active(db: &dyn Read, id: SubjectId) -> Result<Option<Subject>> {
    Ok(find_by_id(db, id).await?.filter(|subject| !subject.is_suspended))
}

/// Returns the user whose API key has this hash, unless suspended, with one indexed look-up for every outcome.
pub async fn find_by_key_hash(db: &dyn Read, hash: &str) -> Result<Option<Subject>> {
    let row: Option<SubjectRow> = db
        .one(
            select!(
                SubjectRow,
                "FROM api_keys k
             JOIN subjects s ON s.id = k.user_id
             WHERE k.hash = $1 AND s.suspended IS NULL",
                hash,
            )
            .looking_up(),
        )
        .await?;
    row.map(Subject::try_from).transpose()
}

/// Returns the user with this API key, by the id of the key, and the hash of the key. Suspended users have none.
pub async fn find_by_key_id(db: &dyn Read, key_id: i64) -> Result<Option<(Subject, String)>> {
    let statement = sql!("SELECT hash, user_id FROM api_keys WHERE id = $1", key_id).looking_up();
    let found: Option<(String, SubjectId)> = db.one(statement).await?;
    let Some((hash, user_id)) = found else { return Ok(None) };
    Ok(find_active(db, user_id).await?.map(|user| (user, hash)))
}

/// Returns the password hash of a user, with the user's id; `None` for users without a password and suspended ones.
pub async fn find_password(db: &dyn Read, name: &SubjectName) -> Result<Option<(SubjectId, String)>> {
    db.one(sql!(
        "SELECT id, password_hash
         FROM subjects
         WHERE name = $1 AND password_hash IS NOT NULL AND suspended IS NULL",
        name,
    ))
    .await
}

/// Returns a page of the subjects whose names begin with a text, in any letter case, by name.
pub async fn list(db: &dyn Read, names: &NameRange, window: PageRequest) -> Result<Vec<Subject>> {
    let rows: Vec<SubjectRow> = db
        .all(select!(
            SubjectRow,
            "FROM subjects s
             WHERE s.folded_name >= $1 AND s.folded_name < $2
             ORDER BY s.folded_name
             LIMIT $3 OFFSET $4",
            &names.from,
            &names.to,
            window.limit,
            window.start,
        ))
        .await?;
    rows.into_iter().map(Subject::try_from).collect()
}

/// Returns the users with an email address, by name, up to a limit that is enough for a page.
pub async fn list_by_email(db: &dyn Read, email: &str) -> Result<Vec<Subject>> {
    let rows: Vec<SubjectRow> =
        db.all(select!(SubjectRow, "FROM subjects s WHERE s.email = $1 ORDER BY s.name LIMIT 50", email)).await?;
    rows.into_iter().map(Subject::try_from).collect()
}

/// Counts the subjects whose names begin with a text.
pub async fn count(db: &dyn Read, names: &NameRange) -> Result<i64> {
    let count = db
        .one(sql!(
            "SELECT CAST(COUNT(*) AS BIGINT)
             FROM subjects
             WHERE folded_name >= $1 AND folded_name < $2",
            &names.from,
            &names.to,
        ))
        .await?;
    Ok(count.unwrap_or_default())
}

/// Returns the first site administrator, if the installation has one.
pub async fn find_site_admin(db: &dyn Read) -> Result<Option<String>> {
    db.one(sql!("SELECT name FROM subjects WHERE is_site_admin ORDER BY id LIMIT 1")).await
}

/// Returns a user or an organization that is not a site administrator, if there is one.
pub async fn find_ordinary(db: &dyn Read) -> Result<Option<String>> {
    db.one(sql!("SELECT name FROM subjects WHERE id > 0 AND NOT is_site_admin ORDER BY id LIMIT 1")).await
}

/// Adds a subject. A name that differs by letter case alone is a conflict.
pub async fn insert(tx: &mut Tx, subject: &Subject, password_hash: Option<&str>) -> Result<()> {
    tx.run(insert!(subjects {
        id: subject.id,
        kind: subject.kind.as_str(),
        name: &subject.name,
        folded_name: subject.name.folded(),
        full_name: &subject.full_name,
        email: subject.email.as_deref(),
        plan: subject.plan.as_str(),
        is_site_admin: subject.is_site_admin,
        password_hash,
        registered: subject.registered,
    }))
    .await?;
    Ok(())
}

/// Updates the fields of the profile.
pub async fn update_profile(tx: &mut Tx, id: SubjectId, full_name: &str, email: Option<&str>) -> Result<()> {
    tx.run(sql!("UPDATE subjects SET full_name = $2, email = $3 WHERE id = $1", id, full_name, email)).await?;
    Ok(())
}

/// Records that a user has confirmed an email address; returns false if the user has another one now.
pub async fn update_verified_email(tx: &mut Tx, id: SubjectId, email: &str) -> Result<bool> {
    Ok(tx.run(sql!("UPDATE subjects SET verified_email = $2 WHERE id = $1 AND email = $2", id, email)).await? > 0)
}

/// Changes the password for the web pages, or removes it.
pub async fn update_password(tx: &mut Tx, id: SubjectId, password_hash: Option<&str>) -> Result<()> {
    tx.run(sql!("UPDATE subjects SET password_hash = $2 WHERE id = $1", id, password_hash)).await?;
    Ok(())
}

/// Changes the plan.
pub async fn update_plan(tx: &mut Tx, id: SubjectId, plan: Plan) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("UPDATE subjects SET plan = $2 WHERE id = $1", id, plan.as_str())).await?;
    Ok(())
}

/// Suspends a user, or ends the suspension.
pub async fn update_suspended(tx: &mut Tx, id: SubjectId, since: Option<Timestamp>) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("UPDATE subjects SET suspended = $2 WHERE id = $1", id, since)).await?;
    Ok(())
}

/// Changes the name. A name that another subject has, in any letter case, is a conflict.
pub async fn update_name(tx: &mut Tx, id: SubjectId, name: &SubjectName) -> Result<()> {
    tx.invalidate(Invalidation::Everything);
    tx.run(sql!("UPDATE subjects SET name = $2, folded_name = $3 WHERE id = $1", id, name, name.folded())).await?;
    Ok(())
}

/// Returns the current row of the subject and locks it until the transaction ends.
pub async fn lock(tx: &mut Tx, id: SubjectId) -> Result<Option<Subject>> {
    let row: Option<SubjectRow> =
        tx.one(select!(SubjectRow, "FROM subjects s WHERE s.id = $1", id).locking_rows()).await?;
    row.map(Subject::try_from).transpose()
}

/// Locks all site administrators who are not suspended until the transaction ends, and returns their number.
pub async fn lock_site_admins(tx: &mut Tx) -> Result<usize> {
    let admins: Vec<SubjectId> = tx
        .all(sql!("SELECT id FROM subjects WHERE is_site_admin AND suspended IS NULL ORDER BY id").locking_rows())
        .await?;
    Ok(admins.len())
}

/// Deletes a subject with its API keys and memberships.
pub async fn delete(tx: &mut Tx, id: SubjectId) -> Result<()> {
    tx.invalidate(Invalidation::Accounts);
    tx.run(sql!("DELETE FROM subjects WHERE id = $1", id).long()).await?;
    Ok(())
}
