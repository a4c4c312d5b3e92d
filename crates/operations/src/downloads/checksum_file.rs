//! Checksums as files next to a file. They are never stored, but computed on request.

use md5::Md5;
use model::{
    checksum::{Algorithm, ChecksumFile},
    digest::hex,
    file_path::FilePath,
};
use sha1::Sha1;
use sha2::{Digest, Sha256, Sha512};

use crate::{
    Caller, House, Result,
    cache::Dependence,
    downloads::{
        GeneratedText, Resolved, ResolvedFile, ResolvedIndex,
        find::{AdmittedRepo, find_content},
    },
    storage::checksums,
};

/// Returns the checksum that a path names, if the file that it belongs to exists.
pub(super) async fn find(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<GeneratedText>> {
    let Some(ChecksumFile { main, algorithm }) = ChecksumFile::parse(path) else { return Ok(None) };
    Ok(match find_content(house, caller, entered, &main).await? {
        Some(Resolved::File(file)) => Some(of_file(house, algorithm, &file).await?),
        Some(Resolved::Text(text)) => {
            let content = of_text(algorithm, &text.content).into();
            Some(GeneratedText { content, media_type: None, ..text })
        }
        Some(Resolved::Index(index)) => of_index(algorithm, &index),
        Some(Resolved::Folder(_)) | None => None,
    })
}

async fn of_file(house: &House, algorithm: Algorithm, file: &ResolvedFile) -> Result<GeneratedText> {
    let sum = checksums::of(house, &file.blob, algorithm).await?;
    // A file with this name may still be uploaded, and would then be served instead.
    Ok(GeneratedText::beside(file, sum.into()))
}

/// The checksums of an index that are computed when it is put together.
fn of_index(algorithm: Algorithm, index: &ResolvedIndex) -> Option<GeneratedText> {
    let sum = match algorithm {
        Algorithm::Sha1 => hex(&index.content.sha1),
        Algorithm::Sha256 => index.content.sha256.to_string(),
        Algorithm::Md5 | Algorithm::Sha512 => return None,
    };
    Some(GeneratedText {
        content: sum.into(),
        changed: index.content.changed,
        keeping: index.keeping.for_now(),
        repo_ids: [index.repo_id; 2],
        depends_on: Dependence::Paths,
        rules: index.rules.clone(),
        media_type: None,
        bytes: None,
        has_md5_tag: false,
    })
}

fn of_text(algorithm: Algorithm, text: &str) -> String {
    match algorithm {
        Algorithm::Sha1 => hex(&Sha1::digest(text)),
        Algorithm::Sha256 => hex(&Sha256::digest(text)),
        Algorithm::Md5 => hex(&Md5::digest(text)),
        Algorithm::Sha512 => hex(&Sha512::digest(text)),
    }
}
