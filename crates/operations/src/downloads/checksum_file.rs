//! Checksums as files beside a file: never stored, computed when they are asked for.

use md5::Md5;
use model::{
    checksum::{Algorithm, SideFile},
    digest::hex,
    file_path::FilePath,
};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::{
    Caller, House, Result,
    downloads::{
        File, Found, Text,
        find::{Entered, find_content},
    },
    storage::checksums,
};

/// The checksum that a path names, when the file it is of is there.
pub(super) async fn find(house: &House, caller: &Caller, entered: &Entered, path: &FilePath) -> Result<Option<Text>> {
    let Some(SideFile { main, algorithm }) = SideFile::parse(path) else { return Ok(None) };
    Ok(match find_content(house, caller, entered, &main).await? {
        Some(Found::File(file)) => Some(of_file(house, algorithm, &file).await?),
        Some(Found::Text(text)) => Some(Text { content: of_text(algorithm, &text.content).into(), ..text }),
        Some(Found::Folder(_)) | None => None,
    })
}

async fn of_file(house: &House, algorithm: Algorithm, file: &File) -> Result<Text> {
    let sum = match algorithm {
        Algorithm::Sha1 => file.blob.sha1.clone(),
        Algorithm::Sha256 => file.blob.sha256.to_string(),
        Algorithm::Md5 => checksums::slow(house, &file.blob).await?.md5,
        Algorithm::Sha512 => checksums::slow(house, &file.blob).await?.sha512,
    };
    // A file of this name may still be uploaded, and would come before it.
    Ok(Text { content: sum.into(), changed: file.changed, keeping: file.keeping.for_now() })
}

fn of_text(algorithm: Algorithm, text: &str) -> String {
    match algorithm {
        Algorithm::Sha1 => hex(&Sha1::digest(text)),
        Algorithm::Sha256 => hex(&Sha256::digest(text)),
        Algorithm::Md5 => hex(&Md5::digest(text)),
        Algorithm::Sha512 => hex(&Sha512::digest(text)),
    }
}
