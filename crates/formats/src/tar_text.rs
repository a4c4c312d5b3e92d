//! Writes tar entries of index files.

/// The size of a tar block.
const BLOCK_BYTES: usize = 512;

/// The two blocks of zeros that end a tar.
pub const END: [u8; 2 * BLOCK_BYTES] = [0; 2 * BLOCK_BYTES];

/// The maximum length of a folder name and of a file name.
pub const NAME_BYTES: usize = 100;

/// The header of a plain file, or of a folder if the name ends with `/`. The folder before the last `/` may have
/// 155 bytes and the rest 100; longer names are cut, so callers check them before.
pub fn header(name: &str, size_bytes: u64, seconds: i64) -> [u8; BLOCK_BYTES] {
    let mut header = [0; BLOCK_BYTES];
    let is_folder = name.ends_with('/');
    let split = name[..name.len() - usize::from(is_folder)].rfind('/').filter(|_| name.len() > NAME_BYTES);
    let (prefix, name) = split.map_or(("", name), |at| (&name[..at], &name[at + 1..]));
    let mut put = |at: usize, bytes: &[u8], most: usize| {
        let length = bytes.len().min(most);
        header[at..at + length].copy_from_slice(&bytes[..length]);
    };
    put(0, name.as_bytes(), NAME_BYTES);
    put(100, if is_folder { b"0000755\0" } else { b"0000644\0" }, 8);
    put(108, b"0000000\0", 8);
    put(116, b"0000000\0", 8);
    put(124, format!("{:011o}\0", size_bytes.min(0o77_777_777_777)).as_bytes(), 12);
    put(136, format!("{:011o}\0", seconds.clamp(0, 0o77_777_777_777)).as_bytes(), 12);
    put(148, b"        ", 8);
    put(156, if is_folder { b"5" } else { b"0" }, 1);
    put(257, b"ustar\x0000", 8);
    put(265, b"root", 32);
    put(297, b"root", 32);
    put(345, prefix.as_bytes(), 155);
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

/// The zeros after content of this size.
pub fn padding(size_bytes: u64) -> &'static [u8] {
    let rest = usize::try_from(size_bytes % BLOCK_BYTES as u64).unwrap_or(0);
    &END[..(BLOCK_BYTES - rest) % BLOCK_BYTES]
}

/// A complete entry: header, content and padding.
pub fn entry(name: &str, content: &[u8], seconds: i64) -> Vec<u8> {
    let size_bytes = content.len() as u64;
    [&header(name, size_bytes, seconds)[..], content, padding(size_bytes)].concat()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::readers::{Limits, walk};

    #[test]
    fn entries_are_a_tar() {
        let long = format!("{}/desc", "x".repeat(120));
        let tar = [entry("a/", b"", 5), entry("a/b", &[7; 512], 5), entry(&long, b"12", 5), END.to_vec()].concat();
        let files = walk::collect(&tar[..], &Limits::default(), &|path| path.contains('/')).expect("valid");
        assert_eq!(files, [("a/b".to_owned(), vec![7; 512]), (long, b"12".to_vec())]);
        let mut archive = ::tar::Archive::new(&tar[..]);
        let entries: Vec<_> = archive.entries().expect("a tar").map(|entry| entry.expect("valid")).collect();
        assert_eq!(entries.len(), 3);
        assert_eq!(entries[0].header().mtime().expect("a time"), 5);
    }
}
