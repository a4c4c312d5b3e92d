//! A gzip file that is a member of another file.

use std::io::{Cursor, Read};

use operations::storage::archive::ArchiveError;

use super::{Limits, gzip};

/// Inflates a member to at most the size of one member.
pub fn inflate(packed: &[u8], limits: &Limits) -> Result<Vec<u8>, String> {
    let limits = Limits { bytes: limits.member_bytes, ..limits.clone() };
    let mut packed = Cursor::new(packed);
    let mut bytes = Vec::new();
    let mut stream = gzip::open(&mut packed, &limits)?;
    stream.read_to_end(&mut bytes).map_err(|error| ArchiveError::of_stream(error).to_string())?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::{super::samples, *};

    #[test]
    fn members_are_bounded() {
        assert_eq!(inflate(&samples::gzip(b"hello"), &Limits::default()), Ok(b"hello".to_vec()));
        let limits = Limits { member_bytes: 4, ..Limits::default() };
        assert!(inflate(&samples::gzip(b"hello"), &limits).is_err());
        assert_eq!(inflate(b"no gzip", &Limits::default()), Err("it is not a gzip file".to_owned()));
    }
}
