use std::io::Cursor;

use proptest::prelude::*;

use super::{
    super::samples::{Value, header, hello, rpm, with},
    *,
};

fn look(bytes: Vec<u8>) -> Result<RpmFacts, String> {
    inspect(&mut Cursor::new(bytes), &Limits::default())
}

fn refusal(bytes: Vec<u8>) -> String {
    look(bytes).expect_err("a refusal")
}

/// The offset of the main header.
fn main_header() -> usize {
    let signature = header(tags::HEADER_SIGNATURES, &[(tags::SIGNATURE_PAYLOAD_SIZE, Value::Numbers(vec![0]))]);
    96 + signature.len().next_multiple_of(8)
}

#[test]
fn a_package_is_read() {
    let facts = look(rpm(&hello())).expect("valid");
    assert_eq!((facts.full_version().as_str(), facts.architecture.as_str()), ("2.10-3", "x86_64"));
    assert_eq!(facts.usual_path(), "Packages/h/hello-2.10-3.x86_64.rpm");
    let facts = look(rpm(&with(tags::EPOCH, Value::Numbers(vec![7])))).expect("valid");
    assert_eq!(facts.full_version(), "7:2.10-3");
    let source: Vec<_> = hello().into_iter().filter(|(tag, _)| *tag != tags::SOURCE_RPM).collect();
    assert_eq!(look(rpm(&source)).expect("valid").architecture, "src");
}

#[test]
fn headers_beyond_their_bounds_are_refused() {
    let start = main_header();
    let patched = |offset: usize, bytes: &[u8]| {
        let mut file = rpm(&hello());
        file[start + offset..start + offset + bytes.len()].copy_from_slice(bytes);
        refusal(file)
    };
    assert_eq!(patched(8, &10_000_000_u32.to_be_bytes()), "the header has 10000000 tags, and may have 1 to 65535");
    assert_eq!(patched(8, &[0; 4]), "the header has 0 tags, and may have 1 to 65535");
    assert_eq!(patched(12, &[0x7f, 0, 0, 0]), "the header is larger than 16777216 bytes");
    // The second entry of the index is the name, at 16 + 16: tag, type, offset, count.
    assert_eq!(patched(16 + 16 + 8, &[0x7f; 4]), "the header has the tag 1000 outside of itself");
    assert_eq!(patched(16 + 16 + 12, &[0xff; 4]), "the header has the tag 1000 outside of itself");
    assert_eq!(patched(16 + 16 + 4, &4_u32.to_be_bytes()), "tag 1000 of the header is not text");
    assert_eq!(patched(16 + 32, &1000_u32.to_be_bytes()), "the header has the tag 1000 twice");
    assert_eq!(patched(0, b"x"), "the header does not begin with its mark");
}

#[test]
fn regions_that_lie_are_refused() {
    let start = main_header();
    for (offset, bytes) in [(16 + 8, 0x00ff_ffff_u32), (16 + 12, 15), (16 + 4, 6)] {
        let mut file = rpm(&hello());
        file[start + offset..start + offset + 4].copy_from_slice(&bytes.to_be_bytes());
        assert_eq!(refusal(file), "the header has a region outside of itself");
    }
    let mark = start + 16 + (hello().len() + 1) * 16;
    for (offset, bytes) in [(0, 62_u32), (8, 16), (8, 0_u32.wrapping_sub(160_000)), (8, 0_u32.wrapping_sub(17))] {
        let mut file = rpm(&hello());
        file[mark + offset..mark + offset + 4].copy_from_slice(&bytes.to_be_bytes());
        assert_eq!(refusal(file), "the header has a region that contradicts its end mark");
    }
}

#[test]
fn incomplete_packages_are_refused() {
    assert_eq!(refusal(b"PK".to_vec()), "it is not an RPM package");
    assert_eq!(refusal(rpm(&hello())[..96].to_vec()), "the signature header is cut off");
    assert_eq!(refusal(rpm(&hello())[..main_header() + 100].to_vec()), "the header is cut off");
    let mut large = rpm(&hello());
    large[96 + 12..96 + 16].copy_from_slice(&0x4000_0000_u32.to_be_bytes());
    assert_eq!(refusal(large), "the signature header is larger than 16777216 bytes");
}

#[test]
fn texts_have_an_end() {
    let mut file = header(tags::HEADER_IMMUTABLE, &[(tags::NAME, Value::Text("a"))]);
    file.pop();
    let length = u32::try_from(file.len() - 16 - 32).expect("small");
    file[12..16].copy_from_slice(&length.to_be_bytes());
    let header = RpmHeader::read(&mut &file[..], "header").expect("its bounds are right");
    assert_eq!(header.text(tags::NAME), Err("a text of tag 1000 of the header has no end".to_owned()));
}

#[test]
fn bad_values_are_refused() {
    for (tag, value, reason) in [
        (tags::NAME, Value::Text("a<b"), "'a<b' is not the name of an RPM package"),
        (tags::NAME, Value::Text("../x"), "'../x' is not the name of an RPM package"),
        (tags::VERSION, Value::Text("1-2"), "'1-2' is not the version of an RPM"),
        (tags::RELEASE, Value::Text(""), "'' is not the release of an RPM"),
        (tags::ARCH, Value::Text("../x"), "'../x' is not the name of an architecture"),
        (tags::EPOCH, Value::Text("one"), "its epoch is not a number"),
        (tags::DIR_INDEXES, Value::Numbers(vec![0, 1, 2]), "the header has a file in a folder that it does not have"),
        (tags::DIR_INDEXES, Value::Numbers(vec![0]), "the header has file names without folders"),
        (1048, Value::Numbers(vec![0]), "the header has dependencies without versions or flags"),
    ] {
        assert_eq!(refusal(rpm(&with(tag, value))), reason);
    }
}

#[test]
fn many_long_paths_are_refused() {
    let folder = Value::Texts(vec![format!("/{}/", "x".repeat(60_000))]);
    let mut values = with(tags::DIR_NAMES, folder);
    values.retain(|(tag, _)| ![tags::DIR_INDEXES, tags::BASE_NAMES].contains(tag));
    values.push((tags::DIR_INDEXES, Value::Numbers(vec![0; 1_000])));
    values.push((tags::BASE_NAMES, Value::Texts(vec!["a".to_owned(); 1_000])));
    assert_eq!(refusal(rpm(&values)), "its paths have more than 16777216 bytes");
}

proptest! {
    #[test]
    fn damaged_packages_have_facts_or_a_reason(place in 96_usize..1_500, byte: u8) {
        let mut file = rpm(&hello());
        let place = place % file.len();
        file[place] = byte;
        let _ = look(file);
    }
}
