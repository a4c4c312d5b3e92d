//! Reserves bytes from the remaining download quota of an access key.

use model::{download_quota::PaidContent, id::KeyId};
use operations::{
    AccessKeyIdentity, Error, Result,
    downloads::{self, Taking},
};
use web::App;

/// The download quota of a key with a limit, for one file.
pub(crate) struct KeyQuota {
    app: App,
    key: AccessKeyIdentity,
    content: PaidContent,
}

/// Bytes of a file reserved for one transfer. Unsent bytes are returned to the quota.
pub(crate) struct QuotaReservation {
    app: App,
    key_id: KeyId,
    content: PaidContent,
    unsent: i64,
}

impl KeyQuota {
    /// The quota of this key for this content.
    pub(super) fn new(app: &App, key: &AccessKeyIdentity, content: PaidContent) -> Self {
        Self { app: app.clone(), key: key.clone(), content }
    }

    /// Reserves this many bytes. Runs to the end even if the client disconnects, so that the reserved bytes are
    /// returned.
    pub(super) async fn reserve(self, bytes: u64) -> Result<QuotaReservation> {
        let Self { app, key, content } = self;
        let bytes = i64::try_from(bytes).unwrap_or(i64::MAX);
        let reserving = tokio::spawn(async move {
            downloads::take(app.house(), &key, Taking { content, bytes }).await?;
            Ok(QuotaReservation { app, key_id: key.id, content, unsent: bytes })
        });
        reserving.await.map_err(|error| Error::Internal(error.to_string()))?
    }
}

impl QuotaReservation {
    /// Records that this many bytes were handed to the connection.
    pub(super) fn sent(&mut self, bytes: u64) {
        self.unsent -= i64::try_from(bytes).unwrap_or(i64::MAX).min(self.unsent);
    }
}

impl Drop for QuotaReservation {
    fn drop(&mut self) {
        if self.unsent > 0 {
            self.app.house().counter.give_back(self.key_id, self.content, self.unsent);
        }
    }
}
