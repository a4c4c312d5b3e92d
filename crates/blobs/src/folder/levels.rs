//! Decides how many levels of folders a store has, and creates the folders of a new store.
//!
//! A new store has one level, and all its folders exist before the first upload. If uploads created them, the first
//! blob of a folder would take longer, so that the duration would tell whether the store has the content already. A
//! store of an earlier version has two levels for ever.
//!
//! The file `layout` marks a store with one level. Without it, a store has two levels if it has any folder of the
//! second level. Otherwise it is new, a crash interrupted its creation, or someone copied it without the file; all of
//! these have one level, whichever of the steps below took effect.

use std::{
    collections::BTreeSet,
    fs::{self, OpenOptions},
    io::{self, Write},
    os::unix::fs::OpenOptionsExt,
    path::Path,
};

use super::{create_folder, failed, list::names_in, sync_folder};
use crate::{
    error::Error,
    layout::{self, Levels},
};

/// The name of the file, below the store's root.
const MARKER: &str = "layout";

/// Its text.
const ONE_LEVEL: &str = "one level\n";

/// Returns the number of levels. If it is one, creates what is missing and makes it durable, except for the marker's
/// name in the root.
pub(super) fn prepare(root: &Path) -> Result<Levels, Error> {
    let content = root.join(layout::CONTENT);
    let is_marked = is_marked(root)?;
    if !is_marked && has_second_level(&content)? {
        return Ok(Levels::Two);
    }
    create_first_level(&content)?;
    if !is_marked {
        mark(root)?;
    }
    // Even if nothing was missing: another process may have created it a moment ago.
    sync_folder(&content)?;
    Ok(Levels::One)
}

fn is_marked(root: &Path) -> Result<bool, Error> {
    let path = root.join(MARKER);
    match fs::read_to_string(&path) {
        // A crash may leave it empty.
        Ok(text) if text.is_empty() => Ok(false),
        Ok(text) if text == ONE_LEVEL => Ok(true),
        Ok(_) => {
            let reason = "it describes a layout that this version does not know";
            Err(failed("reading", &path, io::Error::new(io::ErrorKind::InvalidData, reason)))
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(failed("reading", &path, error)),
    }
}

fn mark(root: &Path) -> Result<(), Error> {
    let path = root.join(MARKER);
    let opened = OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&path);
    let written = opened.and_then(|mut file| {
        file.write_all(ONE_LEVEL.as_bytes())?;
        file.sync_data()
    });
    written.map_err(|error| failed("writing", &path, error))
}

/// Returns whether there is a folder like `sha256/ab/cd`.
fn has_second_level(content: &Path) -> Result<bool, Error> {
    for outer in names_in(content)?.iter().filter(|name| is_folder_name(name)) {
        let outer = content.join(outer);
        if names_in(&outer)?.iter().any(|name| is_folder_name(name) && outer.join(name).is_dir()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Creates the missing folders from `sha256/00` to `sha256/ff`.
fn create_first_level(content: &Path) -> Result<(), Error> {
    let present: BTreeSet<String> = names_in(content)?.into_iter().collect();
    let names = (0..=u8::MAX).map(|first| format!("{first:02x}"));
    names.filter(|name| !present.contains(name)).try_for_each(|name| create_folder(&content.join(name)))
}

/// Returns whether the name has two digits of a digest.
fn is_folder_name(name: &str) -> bool {
    name.len() == 2 && name.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}
