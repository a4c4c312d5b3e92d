//! Bytes in a file that exists in memory only. Connections let the kernel copy them, as they do with blobs.

use std::{
    fs::File,
    io::{self, Write},
};

use bytes::Bytes;

use crate::mapped::MappedBlob;

/// Fewer bytes than these are copied as fast by the process itself, and need no file.
const SMALL_BYTES: usize = 128 << 10;

/// Moves bytes that are sent often to a file in memory. Few bytes stay where they are, and so do all if the system has no
/// such files.
pub fn sent_often(bytes: Bytes) -> Bytes {
    if bytes.len() < SMALL_BYTES {
        return bytes;
    }
    let moved = create(&bytes).and_then(MappedBlob::from_file).ok();
    moved.and_then(|moved| moved.bytes(0..bytes.len() as u64)).unwrap_or(bytes)
}

/// Creates a file that nobody can change any more, so that its mapping may be read.
#[cfg(target_os = "linux")]
fn create(bytes: &[u8]) -> io::Result<File> {
    use nix::{
        fcntl::{FcntlArg, SealFlag, fcntl},
        sys::memfd::{MFdFlags, memfd_create},
    };

    let mut file = File::from(memfd_create("packhouse-text", MFdFlags::MFD_CLOEXEC | MFdFlags::MFD_ALLOW_SEALING)?);
    file.write_all(bytes)?;
    let size = SealFlag::F_SEAL_SHRINK | SealFlag::F_SEAL_GROW;
    fcntl(&file, FcntlArg::F_ADD_SEALS(size | SealFlag::F_SEAL_WRITE | SealFlag::F_SEAL_SEAL))?;
    Ok(file)
}

#[cfg(not(target_os = "linux"))]
fn create(_bytes: &[u8]) -> io::Result<File> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::FileExt;

    use super::*;
    use crate::locate;

    #[test]
    fn few_bytes_stay_and_many_are_in_a_file_that_does_not_change() {
        let few = Bytes::from(vec![7; SMALL_BYTES - 1]);
        assert_eq!(sent_often(few.clone()).as_ptr(), few.as_ptr());
        let many: Bytes = (0..SMALL_BYTES).map(|number| number.to_le_bytes()[0]).collect();
        let moved = sent_often(many.clone());
        assert_eq!(moved, many);
        let part = locate(&moved[5..]).expect("a mapping");
        assert_eq!(part.offset, 5);
        let mut read = vec![0; many.len()];
        part.file.read_exact_at(&mut read, 0).expect("readable");
        assert_eq!(read, many);
        assert!(part.file.set_len(1).is_err() && part.file.write_at(b"x", 0).is_err(), "it is sealed");
    }
}
