//! Members of a zip, found by its directory.

use operations::storage::archive::zip::ZipFile;

use super::{Content, Limits, content::Bounded, quoted};

/// Members that inflate to less than this have no ratio.
const SMALL_BYTES: u64 = 64 * 1024;

/// An open zip whose directory is checked.
#[derive(Debug)]
pub struct Zip<'a> {
    file: ZipFile<Bounded<'a>>,
    limits: Limits,
}

impl<'a> Zip<'a> {
    /// Reads and checks the directory.
    pub fn open(content: &'a mut dyn Content, limits: &Limits) -> Result<Self, String> {
        let size_bytes = content.size();
        let bounded = Bounded::new(content, limits)?;
        let file = ZipFile::open(bounded, size_bytes, limits.entries).map_err(|error| error.to_string())?;
        Ok(Self { file, limits: limits.clone() })
    }

    /// The names of all files, in no particular order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.file.names()
    }

    /// Reads a small file; `None` if no file has this name.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, String> {
        let Some((packed_bytes, bytes)) = self.file.sizes(name) else { return Ok(None) };
        let ratio = self.limits.ratio;
        if bytes > self.limits.inflated_bytes(packed_bytes, SMALL_BYTES) {
            return Err(format!("entry `{}` unpacks to more than {ratio} times its size", quoted(name)));
        }
        self.file.read(name, self.limits.member_bytes).map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{super::samples::zip, *};

    fn read(bytes: Vec<u8>, name: &str) -> Result<Option<Vec<u8>>, String> {
        Zip::open(&mut Cursor::new(bytes), &Limits::default())?.read(name)
    }

    #[test]
    fn a_member_is_found_by_its_name() {
        let bytes = zip(&[("a/b.txt", b"hello"), ("c", b"")]);
        assert_eq!(read(bytes.clone(), "a/b.txt"), Ok(Some(b"hello".to_vec())));
        assert_eq!(read(bytes.clone(), "c"), Ok(Some(Vec::new())));
        assert_eq!(read(bytes, "b.txt"), Ok(None));
    }

    #[test]
    fn large_and_dense_members_are_refused() {
        let noise: Vec<u8> =
            (0..1_100_000_u32).flat_map(|i| (i.wrapping_mul(2_654_435_761) >> 7).to_le_bytes()).collect();
        let error = read(zip(&[("big", &noise[..1_100_000])]), "big").expect_err("too large");
        assert_eq!(error, "entry `big` is larger than 1048576 bytes");
        let error = read(zip(&[("zeros", &vec![0; 900_000])]), "zeros").expect_err("too dense");
        assert_eq!(error, "entry `zeros` unpacks to more than 200 times its size");
    }

    #[test]
    fn many_entries_and_bytes_are_refused() {
        let bytes = zip(&[("a", b""), ("b", b""), ("c", b"")]);
        let open = |limits: &Limits| Zip::open(&mut Cursor::new(&bytes), limits).map(|_| ());
        let refusal = open(&Limits { entries: 2, ..Limits::default() });
        assert_eq!(refusal, Err("the archive holds more than 2 entries".to_owned()));
        assert!(open(&Limits { bytes: 10, ..Limits::default() }).is_err());
        assert_eq!(open(&Limits::default()), Ok(()));
    }

    #[test]
    fn a_directory_that_disagrees_with_local_headers_is_refused() {
        let mut bytes = zip(&[("good", b"hello")]);
        let local = bytes.windows(4).position(|window| window == b"good").expect("a local header");
        bytes[local] = b'f';
        assert_eq!(read(bytes, "good"), Err("entry `good` has another name or method in its local header".to_owned()));
    }

    #[test]
    fn a_name_that_stands_twice_is_refused() {
        let mut bytes = zip(&[("one", b""), ("two", b"")]);
        for start in 0..bytes.len() - 3 {
            if bytes[start..].starts_with(b"two") {
                bytes[start..start + 3].copy_from_slice(b"one");
            }
        }
        assert_eq!(read(bytes, "one"), Err("entry `one` appears in the archive twice".to_owned()));
    }

    #[test]
    fn paths_that_leave_their_folder_are_refused() {
        for name in ["../a", "/a", "a\\b", "a//b"] {
            assert!(read(zip(&[(name, b"")]), name).is_err(), "{name}");
        }
    }

    #[test]
    fn other_content_is_refused() {
        assert!(read(b"no zip at all".to_vec(), "a").is_err());
        assert!(read(Vec::new(), "a").is_err());
    }
}
