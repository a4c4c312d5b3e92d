//! Changes that need signatures: plan over the database, sign, then plan again over locked rows and commit.
//!
//! One function plans what a change does to files and indexes. It first reads the database, with nothing locked, to
//! find out what to sign. The signatures are made with no transaction open. Then the function reads the locked rows in
//! the transaction. If the signatures cover that plan, it is applied. If not, other calls have changed the files in
//! between, and the transaction ends without a write. See ADR 0013.

use database::{Database, Read, ScopedFutureExt, Tx};

use crate::{
    Error, House, Result,
    signing::{
        signatures::{Signatures, ToSign},
        signer::Signer,
    },
};

/// The number of times that a call signs while other calls keep changing the files.
const ROUNDS: u32 = 5;

/// The effects of a change.
pub(crate) trait Plan: Send + Sync {
    /// Everything that needs a signature.
    fn to_sign(&self) -> ToSign;
}

/// A change that may need signatures.
pub(crate) trait SignedWrite: Sync {
    /// The rows to change, and the caller's right to change them.
    type Target: Send + Sync;
    /// The effects on the target.
    type Plan: Plan;
    /// The result of the change.
    type Output: Send;

    /// Finds the target, with nothing locked. Called only if a key to sign with exists.
    fn find(&self, db: &Database) -> impl Future<Output = Result<Self::Target>> + Send;

    /// Finds the target and locks it until the transaction ends.
    fn lock(&self, tx: &mut Tx) -> impl Future<Output = Result<Self::Target>> + Send;

    /// Plans the change, or rejects it. Writes nothing. Without the fingerprint of a key, nothing is signed.
    fn plan(
        &self,
        db: &dyn Read,
        target: &Self::Target,
        key: Option<&str>,
    ) -> impl Future<Output = Result<Self::Plan>> + Send;

    /// Applies the plan. The signatures cover it.
    fn apply(
        &self,
        tx: &mut Tx,
        target: Self::Target,
        plan: Self::Plan,
        signatures: &Signatures,
    ) -> impl Future<Output = Result<Self::Output>> + Send;
}

/// The outcome of a transaction.
enum Commit<T> {
    /// The transaction is durable.
    Done(T),
    /// The transaction was rolled back: its plan needs these signatures, and some of them are missing.
    Stale(ToSign),
}

/// Plans, signs and commits a change. Fails with a conflict if other calls keep changing the files.
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

/// Returns what the change signs in the current state of the database. Without a key this is nothing, and nothing is
/// read.
async fn read(signer: &Signer<'_>, write: &impl SignedWrite) -> Result<ToSign> {
    let (db, Some(key)) = (&signer.house.db, signer.fingerprint()) else { return Ok(ToSign::default()) };
    let target = write.find(db).await?;
    Ok(write.plan(db, &target, Some(key)).await?.to_sign())
}

/// Runs the transaction. A stale one has written nothing, so no other write has to be retried because of it.
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

/// The reason why a transaction was rolled back.
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
