//! What runs in a transaction. The code around it is the same for all transactions: it knows only whether to commit, and
//! is compiled once.

use std::{future::Future, marker::PhantomData, pin::Pin};

use scoped_futures::ScopedBoxFuture;
use tokio::sync::Mutex;

use crate::{Error, engine::tx::Tx};

/// Runs in a transaction and says whether to commit it.
pub(crate) trait Attempt: Send + Sync {
    /// Runs, and returns whether to commit. It may run again.
    fn run<'a>(&'a self, tx: &'a mut Tx) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>>;
}

/// Work with a result of its own, which it stores.
pub(crate) struct Work<'w, W, T, E> {
    work: W,
    result: Mutex<Option<Result<T, E>>>,
    lifetime: PhantomData<&'w ()>,
}

impl<W, T, E: From<Error>> Work<'_, W, T, E> {
    pub(crate) fn new(work: W) -> Self {
        Self { work, result: Mutex::new(None), lifetime: PhantomData }
    }

    /// Returns the result of the last run.
    pub(crate) fn into_result(self) -> Result<T, E> {
        let missing = || Err(Error::Broken("a transaction has no result".into()).into());
        self.result.into_inner().unwrap_or_else(missing)
    }
}

impl<'w, W, T, E> Attempt for Work<'w, W, T, E>
where
    W: for<'t> Fn(&'t mut Tx) -> ScopedBoxFuture<'w, 't, Result<T, E>> + Send + Sync,
    T: Send,
    E: Send,
{
    fn run<'a>(&'a self, tx: &'a mut Tx) -> Pin<Box<dyn Future<Output = bool> + Send + 'a>> {
        Box::pin(async move {
            let result = (self.work)(tx).await;
            let should_commit = result.is_ok();
            *self.result.lock().await = Some(result);
            should_commit
        })
    }
}
