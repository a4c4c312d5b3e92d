//! Reads uploaded archives: each file once, in order and within limits. The caller decides how to use the files and on
//! which thread: everything here blocks.

pub mod tar;
pub mod zip;

mod compression;
mod error;
mod limits;
mod members;
mod names;

#[cfg(test)]
mod tests;

use std::{
    fs::File,
    io::{self, Read, Seek, SeekFrom},
};

use model::file_path::FilePath;

pub use self::error::ArchiveError;
pub(crate) use self::limits::Limits;
use self::{
    compression::Compression,
    limits::{Meter, Metered},
    members::Members,
};

/// An archive in a local file, of a supported kind.
pub(crate) struct Archive {
    file: File,
    size_bytes: u64,
    kind: Kind,
    limits: Limits,
}

impl Archive {
    /// Detects the kind by the first bytes; nothing else is read yet, and the file's name is never considered.
    pub(crate) fn open(mut file: File, limits: Limits) -> Result<Self, ArchiveError> {
        let (size_bytes, head) = measure(&mut file).map_err(ArchiveError::Unreadable)?;
        let kind = Kind::of(&head).ok_or(ArchiveError::UnknownKind)?;
        Ok(Self { file, size_bytes, kind, limits })
    }

    /// Checks all entries before any of them is visited: counts them, and checks their names and sizes against the
    /// rules. A zip has a directory for that, which is read first in any case; a tar is read once from start to end.
    pub(crate) fn look_through<E: From<ArchiveError>>(
        &mut self,
        mut visit: impl FnMut(&mut dyn Read) -> Result<(), E>,
    ) -> Result<(), E> {
        let Kind::Tar(_) = self.kind else { return Ok(()) };
        let file = self.file.try_clone().map_err(ArchiveError::Unreadable)?;
        let archive = Self { file, size_bytes: self.size_bytes, kind: self.kind, limits: self.limits.clone() };
        archive.each(|_, content| visit(content))?;
        // Both handles share one position.
        Ok(self.file.rewind().map_err(ArchiveError::Unreadable)?)
    }

    /// Calls `visit` for each file in the archive's order. The content's checksum is verified only when all of it was
    /// read, and the archive only when this returns `Ok`: until then no visited content may be committed.
    pub(crate) fn each<E: From<ArchiveError>>(
        self,
        mut visit: impl FnMut(FilePath, &mut dyn Read) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut meter = Meter::new(&self.limits, self.size_bytes);
        let mut members = Members::new(self.limits.entries, &mut visit);
        match self.kind {
            Kind::Zip => zip::each(self.file, self.size_bytes, &mut meter, &mut members)?,
            Kind::Tar(compression) => {
                let stream = compression.reader(self.file).map_err(ArchiveError::of_stream)?;
                tar::each(Metered::new(stream, &mut meter), &mut members)?;
            }
        }
        Ok(members.finish()?)
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Zip,
    Tar(Compression),
}

impl Kind {
    fn of(head: &[u8]) -> Option<Self> {
        if zip::is_start(head) {
            return Some(Kind::Zip);
        }
        let plain = || tar::is_start(head).then_some(Compression::None);
        Compression::of(head).or_else(plain).map(Kind::Tar)
    }
}

/// Returns the size of the file and its first bytes, enough of them to detect every kind. The file is left at its
/// start.
fn measure(file: &mut File) -> io::Result<(u64, Vec<u8>)> {
    let size_bytes = file.seek(SeekFrom::End(0))?;
    file.rewind()?;
    let mut head = Vec::new();
    file.take(tar::BLOCK_BYTES).read_to_end(&mut head)?;
    file.rewind()?;
    Ok((size_bytes, head))
}
