//! Lists all blobs, one outer folder per blocking task.

use std::{fs, io, path::Path, sync::Arc};

use futures_util::{
    StreamExt, TryStreamExt,
    stream::{self, BoxStream},
};

use super::{Folder, failed};
use crate::{
    error::Error,
    layout::{self, Levels},
    listing::StoredBlob,
    off_reactor,
};

impl Folder {
    pub(crate) fn list(self: &Arc<Self>) -> BoxStream<'static, Result<StoredBlob, Error>> {
        let folder = Arc::clone(self);
        let outer = stream::iter(0..=u8::MAX).then(move |outer| {
            let folder = Arc::clone(&folder);
            off_reactor::run("listing blobs", move || folder.list_outer(&format!("{outer:02x}")))
        });
        outer.map_ok(|found| stream::iter(found.into_iter().map(Ok))).try_flatten().boxed()
    }

    /// Returns the blobs below one of the outer folders.
    fn list_outer(&self, outer: &str) -> Result<Vec<StoredBlob>, Error> {
        let mut found = Vec::new();
        let name = format!("{}/{outer}", layout::CONTENT);
        for inner in names_in(&self.root.join(&name))? {
            let name = format!("{name}/{inner}");
            if self.layout.has(Levels::One) {
                found.extend(self.stored(Levels::One, &name)?);
            }
            if self.layout.has(Levels::Two) {
                for file in names_in(&self.root.join(&name))? {
                    found.extend(self.stored(Levels::Two, &format!("{name}/{file}"))?);
                }
            }
        }
        Ok(found)
    }

    /// Returns the blob with this name; `None` if it is not a blob or was removed in the meantime.
    fn stored(&self, levels: Levels, name: &str) -> Result<Option<StoredBlob>, Error> {
        let Some(digest) = levels.digest_of(name) else { return Ok(None) };
        let path = self.root.join(name);
        let dated = fs::metadata(&path).and_then(|metadata| Ok((metadata.len(), metadata.modified()?)));
        match dated {
            Ok((size, modified)) => Ok(Some(StoredBlob { digest, size, modified })),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(failed("asking for the date of", &path, error)),
        }
    }
}

/// Returns the names in a folder; none if the folder does not exist. Skips names that are not UTF-8: they are not
/// blobs.
pub(super) fn names_in(folder: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(folder) {
        Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
            return Ok(Vec::new());
        }
        entries => entries.map_err(|error| failed("listing", folder, error))?,
    };
    let names = entries.map(|entry| Ok(entry?.file_name().into_string().ok()));
    let names: Result<Vec<_>, io::Error> = names.filter_map(Result::transpose).collect();
    names.map_err(|error| failed("listing", folder, error))
}

#[cfg(test)]
mod tests {
    use model::digest::Digest;

    use super::*;
    use crate::layout::TemporaryNames;

    #[tokio::test]
    async fn what_others_left_between_the_blobs_is_passed_over() {
        for levels in [Levels::One, Levels::Two] {
            let root = tempfile::tempdir().unwrap();
            let digest = Digest::from_bytes([0xab; 32]);
            let blob = root.path().join(levels.content_name(digest));
            fs::create_dir_all(blob.parent().unwrap()).unwrap();
            fs::write(&blob, "four").unwrap();
            fs::write(blob.with_file_name(".hidden"), "no blob").unwrap();
            fs::write(root.path().join("sha256/ab/notes"), "no folder").unwrap();
            fs::write(root.path().join("sha256/cd"), "no folder").unwrap();
            let folder = Arc::new(Folder::open(root.path().to_owned(), TemporaryNames::new(1)).await.unwrap());
            assert_eq!(folder.content_path(digest), blob);
            let listed: Vec<StoredBlob> = folder.list().try_collect().await.unwrap();
            assert_eq!(listed.iter().map(|stored| stored.size).collect::<Vec<_>>(), [4]);
        }
    }
}
