//! Single files at the top of a tar whose other files are not read.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use operations::storage::archive::{
    ArchiveError,
    tar::{Tape, TarEntry},
};

use super::{Content, Limits, content::Bounded, gzip, quoted, tar::TarFile};

/// Reads the files with these names at the top of a plain tar. Other content is skipped, not read. A wanted name that
/// appears in the archive twice, or that is not a plain file, is refused.
pub fn members(content: &mut dyn Content, limits: &Limits, names: &[&str]) -> Result<Vec<TarFile>, String> {
    let size_bytes = content.size();
    let mut tape = Tape::new(Bounded::new(content, limits)?);
    let mut skip = |tape: &mut Tape<Bounded<'_>>, bytes: u64| {
        let offset = i64::try_from(bytes).map_err(io::Error::other)?;
        let position = tape.stream().seek(SeekFrom::Current(offset))?;
        if position > size_bytes { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    };
    collect(&mut tape, limits, names, &mut skip).map_err(|error| error.to_string())
}

/// The same for a tar.gz, which is inflated to its end.
pub fn gzip_members(content: &mut dyn Content, limits: &Limits, names: &[&str]) -> Result<Vec<TarFile>, String> {
    gzip_collect(content, limits, names)?.map_err(|error| error.to_string())
}

fn gzip_collect(
    content: &mut dyn Content,
    limits: &Limits,
    names: &[&str],
) -> Result<Result<Vec<TarFile>, ArchiveError>, String> {
    let mut tape = Tape::new(BufReader::new(gzip::open(content, limits)?));
    let mut skip = |tape: &mut Tape<BufReader<gzip::Gzip<'_>>>, bytes: u64| {
        io::copy(&mut tape.content(bytes), &mut io::sink()).map(drop)
    };
    Ok(collect(&mut tape, limits, names, &mut skip))
}

/// The same for a tar.gz of any size; `None` if it is larger than the limits.
pub fn gzip_members_if_small(
    content: &mut dyn Content,
    limits: &Limits,
    names: &[&str],
) -> Result<Option<Vec<TarFile>>, String> {
    if content.size() > limits.bytes {
        return Ok(None);
    }
    match gzip_collect(content, limits, names)? {
        Ok(files) => Ok(Some(files)),
        Err(ArchiveError::TooManyBytes { .. } | ArchiveError::TooDense { .. }) => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Moves a stream past content.
type Skip<'a, R> = dyn FnMut(&mut Tape<R>, u64) -> io::Result<()> + 'a;

fn collect<R: Read>(
    tape: &mut Tape<R>,
    limits: &Limits,
    names: &[&str],
    skip: &mut Skip<'_, R>,
) -> Result<Vec<TarFile>, ArchiveError> {
    let mut files: Vec<TarFile> = Vec::new();
    let mut seen = 0;
    while let Some(entry) = tape.next_entry_of_any_type()? {
        seen += 1;
        if seen > limits.entries {
            return Err(ArchiveError::TooManyEntries { limit: limits.entries });
        }
        let name = String::from_utf8_lossy(&entry.name).into_owned();
        let path = name.trim_start_matches("./");
        if names.contains(&path) {
            if files.iter().any(|file| file.path == path) {
                return Err(refused(&entry, "appears in the archive twice"));
            }
            let bytes = read(tape, &entry, limits)?;
            files.push(TarFile { path: path.to_owned(), bytes });
        } else {
            skip(tape, entry.size_bytes).map_err(ArchiveError::of_stream)?;
        }
        tape.skip_padding(entry.size_bytes)?;
    }
    Ok(files)
}

fn read(tape: &mut Tape<impl Read>, entry: &TarEntry, limits: &Limits) -> Result<Vec<u8>, ArchiveError> {
    if let Some(reason) = entry.refusal {
        return Err(refused(entry, reason));
    }
    if entry.size_bytes > limits.member_bytes {
        return Err(refused(entry, &format!("is larger than {} bytes", limits.member_bytes)));
    }
    let mut bytes = Vec::new();
    tape.content(entry.size_bytes).read_to_end(&mut bytes).map_err(ArchiveError::of_stream)?;
    Ok(bytes)
}

fn refused(entry: &TarEntry, reason: &str) -> ArchiveError {
    ArchiveError::Entry { entry: quoted(&String::from_utf8_lossy(&entry.name)), reason: reason.to_owned() }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::Cursor;

    use super::{super::samples::gzip, *};

    /// A plain tar of these files.
    pub(crate) fn plain_tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut archive = ::tar::Builder::new(Vec::new());
        for (name, bytes) in files {
            let mut header = ::tar::Header::new_gnu();
            header.set_size(bytes.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            archive.append_data(&mut header, name, *bytes).expect("memory");
        }
        archive.into_inner().expect("memory")
    }

    fn look(bytes: Vec<u8>, limits: &Limits) -> Result<Vec<TarFile>, String> {
        let plain = members(&mut Cursor::new(bytes.clone()), limits, &["a", "b"]);
        let packed = gzip_members(&mut Cursor::new(gzip(&bytes)), limits, &["a", "b"]);
        assert_eq!(plain, packed);
        plain
    }

    #[test]
    fn wanted_files_are_read_and_others_skipped() {
        let big = vec![7; 200_000];
        let bytes = plain_tar(&[("big", &big), ("./b", b"2"), ("x/a", b"no"), ("a", b"1")]);
        let files = look(bytes.clone(), &Limits::default()).expect("valid");
        let read: Vec<(&str, &[u8])> = files.iter().map(|file| (file.path.as_str(), file.bytes.as_slice())).collect();
        assert_eq!(read, [("b", &b"2"[..]), ("a", &b"1"[..])]);
        let tight = Limits { bytes: 20_000, ..Limits::default() };
        assert!(members(&mut Cursor::new(bytes), &tight, &["a"]).is_ok());
    }

    #[test]
    fn large_archives_may_be_left_alone() {
        let bytes = gzip(&plain_tar(&[("big", &[7; 200_000]), ("a", b"1")]));
        let tight = Limits { bytes: 100_000, ..Limits::default() };
        let look = |limits: &Limits| gzip_members_if_small(&mut Cursor::new(&bytes), limits, &["a"]);
        assert_eq!(look(&tight), Ok(None));
        assert_eq!(look(&Limits { bytes: 10, ..Limits::default() }), Ok(None));
        assert_eq!(look(&Limits::default()).map(|files| files.map(|files| files.len())), Ok(Some(1)));
    }

    #[test]
    fn other_archives_are_refused() {
        let refusal = |files: &[(&str, &[u8])], limits: &Limits| look(plain_tar(files), limits).expect_err("a refusal");
        let limits = Limits { entries: 2, member_bytes: 3, ..Limits::default() };
        assert_eq!(refusal(&[("a", b"1"), ("./a", b"2")], &limits), "entry `a` appears in the archive twice");
        assert_eq!(refusal(&[("a", b"1234")], &limits), "entry `a` is larger than 3 bytes");
        assert_eq!(refusal(&[("c", b""), ("d", b""), ("e", b"")], &limits), "the archive holds more than 2 entries");
        let mut cut = plain_tar(&[("c", &[1; 2000]), ("a", b"1")]);
        cut.truncate(1024);
        for bytes in [cut, b"no tar".to_vec()] {
            assert!(members(&mut Cursor::new(&bytes), &Limits::default(), &["a"]).is_err());
            assert!(gzip_members(&mut Cursor::new(gzip(&bytes)), &Limits::default(), &["a"]).is_err());
        }
    }
}
