//! One of the downloads that an access key with a limit has left.

use operations::{Error, KeyHolder, downloads};

use crate::{App, error::Result};

/// A download that was taken from the rest of a key. It is given back unless it is spent.
pub(super) struct Permit {
    app: App,
    key_id: i64,
    is_spent: bool,
}

impl Permit {
    /// Takes one. It goes on when the client goes away meanwhile, so that what was taken is given back.
    pub(super) async fn take(app: &App, key: &KeyHolder) -> Result<Self> {
        let (app, key) = (app.clone(), key.clone());
        let taking = tokio::spawn(async move {
            downloads::take(app.house(), &key).await?;
            Ok(Self { app, key_id: key.id, is_spent: false })
        });
        let taken: operations::Result<Self> = taking.await.map_err(|error| Error::Internal(error.to_string()))?;
        Ok(taken?)
    }

    /// The file was delivered.
    pub(super) fn spend(mut self) {
        self.is_spent = true;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        if !self.is_spent {
            self.app.house().counter.give_back(self.key_id);
        }
    }
}
