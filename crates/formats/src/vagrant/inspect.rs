//! Facts of a box.

use std::io::{Read, SeekFrom};

use serde_json::Value;

use super::name::BoxProvider;
use crate::readers::{Content, Limits, flat_tar, json};

/// The file in a box that names its provider.
const METADATA: &str = "metadata.json";

/// Reads the provider of a box, a tar or tar.gz. Large compressed boxes are not inflated: their provider is `None`.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<Option<BoxProvider>, String> {
    let invalid = |reason: String| format!("the box is not valid: {reason}");
    let files = if is_gzip(content).map_err(invalid)? {
        flat_tar::gzip_members_if_small(content, limits, &[METADATA]).map_err(invalid)?
    } else {
        Some(flat_tar::members(content, limits, &[METADATA]).map_err(invalid)?)
    };
    let Some(mut files) = files else { return Ok(None) };
    let metadata = files.pop().ok_or("the box has no metadata.json")?.bytes;
    let metadata = json::parse_unique(&metadata).map_err(|reason| format!("metadata.json of the box: {reason}"))?;
    let provider =
        metadata.get("provider").and_then(Value::as_str).ok_or("metadata.json of the box has no provider")?;
    BoxProvider::parse(provider).map(Some)
}

fn is_gzip(content: &mut dyn Content) -> Result<bool, String> {
    let mut head = Vec::new();
    let read = content.seek(SeekFrom::Start(0)).and_then(|_| content.take(2).read_to_end(&mut head));
    read.map_err(|error| error.to_string())?;
    Ok(head == [0x1f, 0x8b])
}

/// Refuses a box whose provider is not that of its path.
pub fn check_provider(own: Option<&BoxProvider>, path: &BoxProvider) -> Result<(), String> {
    match own {
        Some(own) if own != path => {
            Err(format!("the box is for '{}', but its path says '{}'", own.as_str(), path.as_str()))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;
    use crate::readers::{flat_tar::tests::plain_tar, samples::gzip};

    const LIBVIRT: &[u8] = br#"{"provider":"libvirt","format":"qcow2","virtual_size":1}"#;

    fn read(bytes: Vec<u8>, limits: &Limits) -> Result<Option<String>, String> {
        Ok(inspect(&mut Cursor::new(bytes), limits)?.map(|provider| provider.as_str().to_owned()))
    }

    #[test]
    fn the_provider_is_read() {
        let disk = vec![0; 100_000];
        let tar = plain_tar(&[("./box.img", &disk), ("./metadata.json", LIBVIRT)]);
        assert_eq!(read(tar.clone(), &Limits::default()), Ok(Some("libvirt".to_owned())));
        assert_eq!(read(gzip(&tar), &Limits::default()), Ok(Some("libvirt".to_owned())));
        let tight = Limits { bytes: 50_000, ..Limits::default() };
        assert_eq!(read(gzip(&tar), &tight), Ok(None));
        assert_eq!(read(tar, &tight), Ok(Some("libvirt".to_owned())));
        let [libvirt, qemu] = ["libvirt", "qemu"].map(|text| BoxProvider::parse(text).expect("a provider"));
        assert_eq!((check_provider(Some(&qemu), &qemu), check_provider(None, &qemu)), (Ok(()), Ok(())));
        assert!(check_provider(Some(&libvirt), &qemu).is_err());
    }

    #[test]
    fn other_boxes_are_refused() {
        let huge = vec![b' '; 10 << 20];
        for (files, reason) in [
            (&[("box.img", &b""[..])][..], "the box has no metadata.json"),
            (&[("metadata.json", b"{}")], "has no provider"),
            (&[("metadata.json", br#"{"provider":"../x"}"#)], "provider '../x' is not valid"),
            (&[("metadata.json", b"no JSON")], "it is not valid JSON"),
            (&[("metadata.json", &huge)], "is larger than 1048576 bytes"),
        ] {
            let refusal = read(plain_tar(files), &Limits::default()).expect_err(reason);
            assert!(refusal.contains(reason), "{refusal}");
        }
        assert!(read(b"PK\x03\x04 no tar".to_vec(), &Limits::default()).is_err());
    }
}
