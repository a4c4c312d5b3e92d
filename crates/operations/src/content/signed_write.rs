//! Changes that sign something: plan over the database, sign, then plan again over locked rows and commit.
//!
//! One function says what a change does to files and indexes. It first reads the database, where nothing is locked, to
//! learn what to sign. The signatures are made with no transaction open. Then the function reads the locked rows in the
//! transaction. If the signatures cover that plan, it is applied; if not, others have changed the files in between, and
//! the transaction ends without a write. See ADR 0013.

use database::{Database, Read, ScopedFutureExt, Tx};

use crate::{
    Error, House, Result,
    signing::{
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// How often a call signs, while others change the files that it signs.
const ROUNDS: u32 = 5;

/// What a change will do.
pub(crate) trait Plan: Send + Sync {
    /// Everything that it needs signatures of.
    fn to_sign(&self) -> ToSign;
}

/// A change that may sign something.
pub(crate) trait SignedWrite: Sync {
    /// What it changes, and the caller's right to do so.
    type Target: Send + Sync;
    /// What it will do to the target.
    type Plan: Plan;
    /// What it returns.
    type Output: Send;

    /// Finds the target, with nothing locked. It is asked only if there is a key to sign with.
    fn find(&self, db: &Database) -> impl Future<Output = Result<Self::Target>> + Send;

    /// Finds the target and locks it until the transaction ends.
    fn lock(&self, tx: &mut Tx) -> impl Future<Output = Result<Self::Target>> + Send;

    /// Says what the change will do, or refuses it. It writes nothing. Without the fingerprint of a key, nothing is signed.
    fn plan(
        &self,
        db: &impl Read,
        target: &Self::Target,
        key: Option<&str>,
    ) -> impl Future<Output = Result<Self::Plan>> + Send;

    /// Does what the plan says. The signatures cover it.
    fn apply(
        &self,
        tx: &mut Tx,
        target: Self::Target,
        plan: Self::Plan,
        signatures: &Signatures,
    ) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// How a transaction ended.
enum Commit<T> {
    /// It is durable.
    Done(T),
    /// It was undone: its plan needs signatures of this, and some of them are missing.
    Stale(ToSign),
}

/// Plans, signs and commits a change. If others keep changing the files, it is refused.
pub(crate) async fn run<W: SignedWrite>(mut signer: Signer<'_>, write: &W) -> Result<W::Output> {
    let mut to_sign = read(&signer, write).await?;
    for _ in 0..ROUNDS {
        signer.sign(to_sign).await?;
        match commit(signer.house, write, signer.signatures(), signer.fingerprint()).await? {
            Commit::Done(output) => return Ok(output),
            Commit::Stale(what) => to_sign = what,
        }
    }
    Err(Error::Conflict("The files were changed while they were being signed; try again".into()))
}

/// What the change signs, as the database is now. Without a key, that is nothing, and nothing is read.
async fn read(signer: &Signer<'_>, write: &impl SignedWrite) -> Result<ToSign> {
    let (db, Some(key)) = (&signer.house.db, signer.fingerprint()) else { return Ok(ToSign::default()) };
    let target = write.find(db).await?;
    Ok(write.plan(db, &target, Some(key)).await?.to_sign())
}

/// Runs the transaction. One that is stale has written nothing, so no other write has to run again because of it.
async fn commit<W: SignedWrite>(
    house: &House,
    write: &W,
    signatures: &Signatures,
    key: Option<&str>,
) -> Result<Commit<W::Output>> {
    let committed = house.db.write(|tx| {
        async move {
            let target = write.lock(tx).await?;
            let plan = write.plan(tx, &target, key).await?;
            let to_sign = plan.to_sign();
            if !signatures.cover(&to_sign) {
                return Err(Undone::Stale(to_sign));
            }
            Ok(write.apply(tx, target, plan, signatures).await?)
        }
        .scope_boxed()
    });
    match committed.await {
        Ok(output) => Ok(Commit::Done(output)),
        Err(Undone::Stale(to_sign)) => Ok(Commit::Stale(to_sign)),
        Err(Undone::Failed(error)) => Err(error),
    }
}

/// Why a transaction was undone.
enum Undone {
    Stale(ToSign),
    Failed(Error),
}

impl From<Error> for Undone {
    fn from(error: Error) -> Self {
        Undone::Failed(error)
    }
}

impl From<database::Error> for Undone {
    fn from(error: database::Error) -> Self {
        Undone::Failed(error.into())
    }
}
