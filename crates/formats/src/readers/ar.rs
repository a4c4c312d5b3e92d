//! The members of an `ar` archive, as in .deb files.

use std::io::{BufReader, Read, Seek, SeekFrom};

use super::{
    Content, Limits,
    content::Bounded,
    quoted,
    unpack::{Packing, Unpacked},
};

const MAGIC: &[u8; 8] = b"!<arch>\n";
const HEADER_BYTES: usize = 60;

/// A .deb has three members; some have a few more for signatures.
const MEMBERS: usize = 32;

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArMember {
    /// Its name.
    pub name: String,
    start: u64,
    /// Its size.
    pub size_bytes: u64,
}

/// An archive whose members are known.
pub struct Ar<'a> {
    content: Bounded<'a>,
    limits: Limits,
    /// The members, in the order of the archive.
    pub members: Vec<ArMember>,
}

impl std::fmt::Debug for Ar<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Ar").field("members", &self.members).finish_non_exhaustive()
    }
}

/// Returns whether content begins like an `ar` archive.
pub fn is_start(head: &[u8]) -> bool {
    head.starts_with(MAGIC)
}

impl<'a> Ar<'a> {
    /// Reads the headers of all members.
    pub fn open(content: &'a mut dyn Content, limits: &Limits) -> Result<Self, String> {
        let size_bytes = content.size();
        let mut content = Bounded::new(content, limits)?;
        let mut magic = [0; 8];
        if content.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Err("it is not an ar archive".to_owned());
        }
        let mut members: Vec<ArMember> = Vec::new();
        let mut offset = MAGIC.len() as u64;
        while offset < size_bytes {
            let member = read_header(&mut content, offset)?;
            let end = member.start.checked_add(member.size_bytes).filter(|end| *end <= size_bytes);
            let end = end.ok_or_else(|| format!("member `{}` is cut off", quoted(&member.name)))?;
            if members.iter().any(|other| other.name == member.name) {
                return Err(format!("member `{}` appears in the archive twice", quoted(&member.name)));
            }
            members.push(member);
            if members.len() > MEMBERS {
                return Err(format!("the archive holds more than {MEMBERS} members"));
            }
            // Members begin at even offsets.
            offset = end + end % 2;
        }
        Ok(Self { content, limits: limits.clone(), members })
    }

    /// Unpacks a member.
    pub fn unpack(&mut self, member: &ArMember) -> Result<Unpacked<'_>, String> {
        let unreadable = |error| format!("the content is unreadable: {error}");
        self.content.seek(SeekFrom::Start(member.start)).map_err(unreadable)?;
        let mut head = Vec::new();
        self.content.by_ref().take(member.size_bytes.min(6)).read_to_end(&mut head).map_err(unreadable)?;
        self.content.seek(SeekFrom::Start(member.start)).map_err(unreadable)?;
        let packed = BufReader::new(self.content.by_ref().take(member.size_bytes));
        Unpacked::new(packed, Packing::of(&head), member.size_bytes, &self.limits)
    }
}

fn read_header(content: &mut Bounded<'_>, offset: u64) -> Result<ArMember, String> {
    let mut header = [0; HEADER_BYTES];
    content
        .seek(SeekFrom::Start(offset))
        .and_then(|_| content.read_exact(&mut header))
        .map_err(|_| "the archive is cut off".to_owned())?;
    if header[58..] != *b"`\n" {
        return Err("a header of the archive is damaged".to_owned());
    }
    let text = |field: &[u8]| str::from_utf8(field).ok().map(|text| text.trim_end().to_owned());
    let name = text(&header[..16]).ok_or("a member has a name that is not UTF-8")?;
    let name = name.strip_suffix('/').unwrap_or(&name).to_owned();
    // No sign and no blank at the front: only digits, and blanks at the end.
    let size = text(&header[48..58]).filter(|size| size.bytes().all(|byte| byte.is_ascii_digit()));
    let size_bytes = size.and_then(|size| size.parse().ok());
    let size_bytes = size_bytes.ok_or_else(|| format!("member `{}` has a size that is not a number", quoted(&name)))?;
    Ok(ArMember { name, start: offset + HEADER_BYTES as u64, size_bytes })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::{
        super::{container_samples::ar, samples::gzip},
        *,
    };

    fn names(bytes: Vec<u8>) -> Result<Vec<String>, String> {
        let mut content = Cursor::new(bytes);
        Ok(Ar::open(&mut content, &Limits::default())?.members.into_iter().map(|member| member.name).collect())
    }

    #[test]
    fn members_are_found_and_unpacked() {
        let bytes = ar(&[("debian-binary", b"2.0\n\x07"), ("control.tar.gz", &gzip(b"hello")), ("empty", b"")]);
        let mut content = Cursor::new(bytes);
        let mut archive = Ar::open(&mut content, &Limits::default()).expect("valid");
        let unpacked: Vec<Vec<u8>> = archive
            .members
            .clone()
            .iter()
            .map(|member| {
                let mut bytes = Vec::new();
                archive.unpack(member).expect("open").read_to_end(&mut bytes).expect("valid");
                bytes
            })
            .collect();
        assert_eq!(unpacked, [&b"2.0\n\x07"[..], b"hello", b""]);
    }

    #[test]
    fn damaged_archives_are_refused() {
        assert_eq!(names(b"!<arch>".to_vec()), Err("it is not an ar archive".to_owned()));
        let good = ar(&[("a", b"12"), ("b", b"34")]);
        assert_eq!(names(good.clone()), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert_eq!(names(good[..good.len() - 1].to_vec()), Err("member `b` is cut off".to_owned()));
        assert_eq!(names(good[..100].to_vec()), Err("the archive is cut off".to_owned()));
        let twice = names(ar(&[("a", b"12"), ("a/", b"34")]));
        assert_eq!(twice, Err("member `a` appears in the archive twice".to_owned()));
        for size in ["-2        ", "99999999999", "0x2       ", " 2        ", "          "] {
            let mut bytes = good.clone();
            bytes[8 + 48..8 + 58].copy_from_slice(&size.as_bytes()[..10]);
            assert!(names(bytes).is_err(), "{size}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes_have_members_or_a_reason(tail in prop::collection::vec(any::<u8>(), 0..200)) {
            let _ = names([&MAGIC[..], &tail].concat());
        }
    }
}
