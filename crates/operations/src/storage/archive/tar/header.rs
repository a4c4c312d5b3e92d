//! The header block at the start of each tar entry.

/// The size of a header, and the block size of a tar.
pub(super) const SIZE: usize = 512;

/// The same, for arithmetic with sizes.
pub(in super::super) const BLOCK_BYTES: u64 = SIZE as u64;

/// The type of an entry.
pub(super) enum Type {
    File,
    Folder,
    LongName,
    LongLink,
    Pax,
    GlobalPax,
    /// A type that is never accepted, with the reason.
    Refused(&'static str),
}

/// The raw fields.
pub(super) struct Header(pub(super) [u8; SIZE]);

impl Header {
    /// Returns whether this is the block of zeros after the last entry.
    pub(super) fn is_end(&self) -> bool {
        self.0.iter().all(|byte| *byte == 0)
    }

    /// Returns whether the sum of all bytes matches the stored one. Old archives store the sum of signed bytes.
    pub(super) fn has_right_sum(&self) -> bool {
        let bytes = || self.0[..148].iter().chain(&[b' '; 8]).chain(&self.0[156..]);
        let unsigned: u64 = bytes().map(|byte| u64::from(*byte)).sum();
        let signed: i64 = bytes().map(|byte| i64::from(byte.cast_signed())).sum();
        number(&self.0[148..156]).is_some_and(|sum| sum == unsigned || i64::try_from(sum) == Ok(signed))
    }

    pub(super) fn entry_type(&self) -> Type {
        match self.0[156] {
            // `7` asks for contiguous disk blocks; a zero is a file from the time before types.
            b'0' | b'7' | 0 => Type::File,
            b'5' => Type::Folder,
            b'L' => Type::LongName,
            b'K' => Type::LongLink,
            b'x' => Type::Pax,
            b'g' => Type::GlobalPax,
            b'1' => Type::Refused("is a hard link"),
            b'2' => Type::Refused("is a symbolic link"),
            b'3' | b'4' => Type::Refused("is a device"),
            b'6' => Type::Refused("is a named pipe"),
            b'S' => Type::Refused("is a sparse file"),
            _ => Type::Refused("is neither a file nor a folder"),
        }
    }

    pub(super) fn size_bytes(&self) -> Option<u64> {
        number(&self.0[124..136])
    }

    /// The name, without extension headers. Only POSIX has a prefix: GNU has other fields in its place.
    pub(super) fn name(&self) -> Vec<u8> {
        let name = until_zero(&self.0[..100]);
        let prefix = match (&self.0[257..263], &self.0[508..]) {
            (b"ustar\0", b"tar\0") => until_zero(&self.0[345..476]),
            (b"ustar\0", _) => until_zero(&self.0[345..500]),
            _ => b"",
        };
        if prefix.is_empty() { name.to_vec() } else { [prefix, b"/", name].concat() }
    }
}

/// Parses a number in octal digits, or in binary if it does not fit otherwise.
fn number(field: &[u8]) -> Option<u64> {
    if let [0x80, binary @ ..] = field {
        let (high, low) = binary.split_last_chunk::<8>()?;
        return high.iter().all(|byte| *byte == 0).then(|| u64::from_be_bytes(*low));
    }
    let digits = str::from_utf8(field).ok()?.trim_matches([' ', '\0']);
    let is_octal = digits.bytes().all(|digit| matches!(digit, b'0'..=b'7'));
    match digits {
        "" => Some(0),
        digits if is_octal => u64::from_str_radix(digits, 8).ok(),
        _ => None,
    }
}

fn until_zero(field: &[u8]) -> &[u8] {
    field.split(|byte| *byte == 0).next().unwrap_or(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Builds a header with these bytes at their offsets.
    fn header(fields: &[(usize, &[u8])]) -> Header {
        let mut header = Header([0; SIZE]);
        for (start, field) in fields {
            header.0[*start..start + field.len()].copy_from_slice(field);
        }
        header
    }

    #[test]
    fn sums_are_of_unsigned_bytes_or_of_signed_ones() {
        let sum = |sum: &[u8]| header(&[(0, b"\xfc"), (148, sum)]).has_right_sum();
        assert!(sum(b"000774\0 "), "252 and eight spaces");
        assert!(sum(b"000374\0 "), "-4 and eight spaces");
        assert!(!sum(b"000775\0 "));
    }

    #[test]
    fn prefixes_are_those_of_posix_and_shorter_in_star() {
        let prefix = [b'p'; 155];
        let name =
            |magic: &[u8], end: &[u8]| header(&[(0, b"name"), (257, magic), (345, &prefix), (508, end)]).name().len();
        assert_eq!(name(b"ustar\0", b""), 155 + 5);
        assert_eq!(name(b"ustar\0", b"tar\0"), 131 + 5);
        assert_eq!(name(b"ustar  \0", b""), 4);
    }

    #[test]
    fn numbers_are_octal_or_binary() {
        assert_eq!(number(b"0000644\0"), Some(0o644));
        assert_eq!(number(b"   644 \0"), Some(0o644));
        assert_eq!(number(b"\0\0\0\0\0\0\0\0"), Some(0));
        assert_eq!(number(b"\x80\0\0\0\0\0\0\x02\0\0\0\0"), Some(1 << 33));
    }

    #[test]
    fn numbers_that_readers_could_take_for_others_are_none() {
        assert_eq!(number(b"\x80\0\0\x01\0\0\0\0\0\0\0\0"), None);
        assert_eq!(number(b"\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), None);
        assert_eq!(number(b"+0000644"), None);
        assert_eq!(number(b"00006 44"), None);
        assert_eq!(number(b"00006\x0044"), None);
        assert_eq!(number(b"00000800"), None);
    }
}
