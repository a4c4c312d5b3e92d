//! Parts of files that a format makes documents of, such as the metadata inside a wheel. They are never stored, but made
//! on request from what the inspection of the file has found.

use database::content::content_facts;
use model::file_path::FilePath;

use crate::{
    Caller, House, Result,
    downloads::{
        GeneratedText, Resolved,
        find::{AdmittedRepo, find_content},
    },
};

/// Returns the document that a path names, if the caller may download the file that it is a part of. It is not counted
/// as a download.
pub(super) async fn find(
    house: &House,
    caller: &Caller,
    entered: &AdmittedRepo,
    path: &FilePath,
) -> Result<Option<GeneratedText>> {
    let format = house.format(&entered.access.repo.kind);
    let Some(main) = format.main_file(path) else { return Ok(None) };
    let Some(Resolved::File(file)) = find_content(house, caller, entered, &main).await? else { return Ok(None) };
    let about = content_facts::find(&house.db, file.blob.id, format.name()).await?;
    let Some(about) = about else { return Ok(None) };
    let bytes = format.part_bytes(path, &about);
    let text = if bytes.is_some() { Some(String::new()) } else { format.dated_part_text(path, &about, file.changed) };
    let media_type = format.media_type(path);
    Ok(text.map(|text| GeneratedText { media_type, bytes, ..GeneratedText::beside(&file, text.into()) }))
}
