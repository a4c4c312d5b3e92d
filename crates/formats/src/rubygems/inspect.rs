//! Facts of a gem's bytes.

use super::specification::GemSpecification;
use crate::readers::{Content, Limits, flat_tar, inflate::inflate};

/// Reads a gem: a plain tar with `metadata.gz` and `data.tar.gz`.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<GemSpecification, String> {
    let names = ["metadata.gz"];
    let mut files =
        flat_tar::members(content, limits, &names).map_err(|reason| format!("the gem is not valid: {reason}"))?;
    let packed = files.pop().ok_or("the gem has no metadata.gz")?.bytes;
    let text = inflate(&packed, limits).map_err(|reason| format!("metadata.gz of the gem: {reason}"))?;
    GemSpecification::parse(&text)
}

/// Refuses a gem whose specification does not give the file name.
pub fn check_file_name(specification: &GemSpecification, file_name: &str) -> Result<(), String> {
    let expected = format!("{}.gem", specification.full_name());
    if file_name == expected {
        return Ok(());
    }
    Err(format!("the gem is '{expected}', but its path says '{}'", crate::readers::quoted(file_name)))
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{super::specification::tests::sample, *};
    use crate::readers::{flat_tar::tests::plain_tar, samples::gzip};

    fn read(files: &[(&str, &[u8])]) -> Result<GemSpecification, String> {
        inspect(&mut Cursor::new(plain_tar(files)), &Limits::default())
    }

    #[test]
    fn the_specification_is_read() {
        let metadata = gzip(sample("hello", "java", "").as_bytes());
        let data = vec![1; 100_000];
        let files: &[(&str, &[u8])] = &[("data.tar.gz", &data), ("metadata.gz", &metadata), ("checksums.yaml.gz", b"")];
        let specification = read(files).expect("valid");
        assert_eq!(check_file_name(&specification, "hello-1.1.0-java.gem"), Ok(()));
        assert!(check_file_name(&specification, "hello-1.1.0.gem").is_err());
    }

    #[test]
    fn other_gems_are_refused() {
        let metadata = gzip(sample("hello", "ruby", "").as_bytes());
        let bomb = gzip(&vec![b' '; 3 << 20]);
        for (files, reason) in [
            (&[("metadata.gz", metadata.as_slice()), ("metadata.gz", &metadata)][..], "appears in the archive twice"),
            (&[("data.tar.gz", b"".as_slice())], "the gem has no metadata.gz"),
            (&[("metadata.gz", b"no gzip".as_slice())], "it is not a gzip file"),
            (&[("metadata.gz", bomb.as_slice())], "unpacks to more than"),
        ] {
            let refusal = read(files).expect_err(reason);
            assert!(refusal.contains(reason), "{refusal}");
        }
        assert!(inspect(&mut Cursor::new(b"no tar".to_vec()), &Limits::default()).is_err());
    }
}
