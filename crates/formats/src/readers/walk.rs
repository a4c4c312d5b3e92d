//! Walks through the entries of a tar stream.

use std::io::{self, Read};

use operations::storage::archive::{
    ArchiveError,
    tar::{Tape, TarEntry},
};

use super::{Limits, quoted};

/// The type of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WalkedType {
    /// A plain file.
    File,
    /// A folder.
    Folder,
    /// A link or a device; the text continues the sentence that its name begins.
    Other(&'static str),
}

/// An entry of a tar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WalkedEntry {
    /// Its path without empty and `.` segments. The folder `./` has an empty one.
    pub path: String,
    /// Its type.
    pub entry_type: WalkedType,
    /// The size of its content.
    pub size_bytes: u64,
}

/// A tar stream that is read entry by entry.
#[derive(Debug)]
pub struct TarWalk<R> {
    tape: Tape<R>,
    limits: Limits,
    seen: usize,
    /// The size of the current entry, and the number of its bytes that are not read yet.
    current: Option<(u64, u64)>,
}

impl<R: Read> TarWalk<R> {
    /// Starts at the first entry.
    pub fn new(stream: R, limits: &Limits) -> Self {
        Self { tape: Tape::new(stream), limits: limits.clone(), seen: 0, current: None }
    }

    /// Skips to the next entry; `None` at the end mark.
    pub fn next_entry(&mut self) -> Result<Option<WalkedEntry>, String> {
        self.advance().map_err(|error| error.to_string())
    }

    fn advance(&mut self) -> Result<Option<WalkedEntry>, ArchiveError> {
        if let Some((size_bytes, left_bytes)) = self.current.take() {
            io::copy(&mut self.tape.content(left_bytes), &mut io::sink()).map_err(ArchiveError::of_stream)?;
            self.tape.skip_padding(size_bytes)?;
        }
        let Some(entry) = self.tape.next_entry_of_any_type()? else { return Ok(None) };
        self.seen += 1;
        if self.seen > self.limits.entries {
            return Err(ArchiveError::TooManyEntries { limit: self.limits.entries });
        }
        let entry = checked(&entry)?;
        self.current = Some((entry.size_bytes, entry.size_bytes));
        Ok(Some(entry))
    }

    /// Reads the content of the current entry, which must be a plain file and small.
    pub fn read(&mut self, entry: &WalkedEntry) -> Result<Vec<u8>, String> {
        let refused = |reason: &str| format!("entry `{}` {reason}", quoted(&entry.path));
        match entry.entry_type {
            WalkedType::File => {}
            WalkedType::Folder => return Err(refused("is a folder")),
            WalkedType::Other(reason) => return Err(refused(reason)),
        }
        if entry.size_bytes > self.limits.member_bytes {
            return Err(refused(&format!("is larger than {} bytes", self.limits.member_bytes)));
        }
        let mut bytes = Vec::new();
        let read = self.tape.content(entry.size_bytes).read_to_end(&mut bytes);
        read.map_err(|error| ArchiveError::of_stream(error).to_string())?;
        self.current = Some((entry.size_bytes, 0));
        Ok(bytes)
    }

    /// Reads the stream to its end, where compressed streams have their checksum.
    pub fn finish(mut self) -> Result<(), String> {
        let copied = io::copy(self.tape.stream(), &mut io::sink());
        copied.map(|_| ()).map_err(|error| ArchiveError::of_stream(error).to_string())
    }
}

/// Reads a whole tar stream and returns the files that `wants` selects by their paths. A selected path that appears in
/// it twice, or that is not a plain file, is refused.
pub fn collect(
    stream: impl Read,
    limits: &Limits,
    wants: &dyn Fn(&str) -> bool,
) -> Result<Vec<(String, Vec<u8>)>, String> {
    let mut walk = TarWalk::new(stream, limits);
    let mut files: Vec<(String, Vec<u8>)> = Vec::new();
    while let Some(entry) = walk.next_entry()? {
        if !wants(&entry.path) {
            continue;
        }
        if files.iter().any(|(path, _)| *path == entry.path) {
            return Err(format!("entry `{}` appears in the archive twice", quoted(&entry.path)));
        }
        let bytes = walk.read(&entry)?;
        files.push((entry.path, bytes));
    }
    walk.finish()?;
    Ok(files)
}

fn checked(entry: &TarEntry) -> Result<WalkedEntry, ArchiveError> {
    let refused = |reason: &str| ArchiveError::Entry {
        entry: quoted(&String::from_utf8_lossy(&entry.name)),
        reason: reason.to_owned(),
    };
    let name = str::from_utf8(&entry.name).map_err(|_| refused("has a name that is not UTF-8"))?;
    let is_folder = name.ends_with('/');
    if name.contains('\0') || name.split('/').any(|segment| segment == "..") {
        return Err(refused("has a path that is not allowed"));
    }
    let segments: Vec<&str> = name.split('/').filter(|segment| !matches!(*segment, "" | ".")).collect();
    let entry_type = match entry.refusal {
        Some(reason) if entry.size_bytes > 0 => return Err(refused(&format!("{reason} with content"))),
        Some(reason) => WalkedType::Other(reason),
        None if is_folder && entry.size_bytes > 0 => return Err(refused("is a folder with content")),
        None if is_folder => WalkedType::Folder,
        None => WalkedType::File,
    };
    Ok(WalkedEntry { path: segments.join("/"), entry_type, size_bytes: entry.size_bytes })
}

#[cfg(test)]
mod tests {
    use ::tar::EntryType;

    use super::{
        super::container_samples::{tar, tar_with},
        *,
    };

    fn wanted(bytes: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
        collect(bytes, &Limits::default(), &|path| path == "wanted")
    }

    #[test]
    fn wanted_files_are_read() {
        let bytes = tar(&[("./a", b"12345"), ("./wanted", b"content"), ("x/wanted", b"")]);
        assert_eq!(wanted(&bytes), Ok(vec![("wanted".to_owned(), b"content".to_vec())]));
    }

    #[test]
    fn a_wanted_file_is_plain_and_stands_once() {
        let refusal = wanted(&tar(&[("wanted", b"1"), ("./wanted", b"2")])).expect_err("twice");
        assert_eq!(refusal, "entry `wanted` appears in the archive twice");
        for (entry_type, reason) in [(EntryType::Symlink, "is a symbolic link"), (EntryType::Directory, "is a folder")]
        {
            let refusal = wanted(&tar_with(&[], "wanted", entry_type)).expect_err("no file");
            assert_eq!(refusal, format!("entry `wanted` {reason}"));
        }
    }

    #[test]
    fn limits_are_respected() {
        let limits = Limits { entries: 1, member_bytes: 2, ..Limits::default() };
        let look = |files: &[(&str, &[u8])]| collect(&tar(files)[..], &limits, &|path| path == "wanted");
        assert_eq!(look(&[("wanted", b"123")]), Err("entry `wanted` is larger than 2 bytes".to_owned()));
        assert_eq!(look(&[("a", b""), ("b", b"")]), Err("the archive holds more than 1 entries".to_owned()));
        assert_eq!(wanted(&tar(&[("../a", b"")])), Err("entry `../a` has a path that is not allowed".to_owned()));
        assert!(wanted(&tar(&[("a", b"123")])[..700]).is_err());
    }
}
