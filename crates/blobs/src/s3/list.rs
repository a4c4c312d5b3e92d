//! Lists all blobs.

use std::{sync::Arc, time::SystemTime};

use futures_util::{StreamExt, TryStreamExt, stream::BoxStream};
use object_store::{ObjectMeta, ObjectStore};

use super::{S3, error::unless_ok};
use crate::{error::Error, layout, listing::StoredBlob};

impl S3 {
    pub(crate) fn list(self: &Arc<Self>) -> BoxStream<'static, Result<StoredBlob, Error>> {
        let folder = self.path(layout::CONTENT);
        let (s3, objects) = (Arc::clone(self), self.client.list(Some(&folder)));
        let objects = objects.map(move |object| unless_ok("listing", &folder, object));
        objects.try_filter_map(move |object| std::future::ready(Ok(s3.stored(&object)))).boxed()
    }

    /// Returns the blob of an object; `None` if it is not a blob.
    fn stored(&self, object: &ObjectMeta) -> Option<StoredBlob> {
        let name: Vec<String> =
            object.location.prefix_match(&self.path(""))?.map(|part| part.as_ref().to_owned()).collect();
        let digest = layout::Levels::Two.digest_of(&name.join("/"))?;
        Some(StoredBlob { digest, size: object.size, modified: SystemTime::from(object.last_modified) })
    }
}
