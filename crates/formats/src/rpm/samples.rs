//! RPM files for tests.

use super::tags;

/// The value of a tag.
pub(crate) enum Value {
    Text(&'static str),
    Texts(Vec<String>),
    Numbers(Vec<u32>),
    Shorts(Vec<u16>),
}

/// The tags of a small package.
pub(crate) fn hello() -> Vec<(u32, Value)> {
    let texts = |texts: &[&str]| Value::Texts(texts.iter().map(|text| (*text).to_owned()).collect());
    vec![
        (tags::NAME, Value::Text("hello")),
        (tags::VERSION, Value::Text("2.10")),
        (tags::RELEASE, Value::Text("3")),
        (tags::SUMMARY, Value::Text("greets")),
        (tags::DESCRIPTION, Value::Text("a <long> text")),
        (tags::BUILD_TIME, Value::Numbers(vec![1_763_200_000])),
        (tags::BUILD_HOST, Value::Text("b")),
        (tags::SIZE, Value::Numbers(vec![120_000])),
        (tags::LICENSE, Value::Text("MIT")),
        (tags::GROUP, Value::Text("Unspecified")),
        (tags::ARCH, Value::Text("x86_64")),
        (tags::SOURCE_RPM, Value::Text("hello-2.10-3.src.rpm")),
        (tags::FILE_MODES, Value::Shorts(vec![0o100_755, 0o040_755, 0o100_644])),
        (tags::FILE_FLAGS, Value::Numbers(vec![0, 0, 64])),
        (tags::DIR_INDEXES, Value::Numbers(vec![0, 1, 1])),
        (tags::BASE_NAMES, texts(&["hello", "hello", "log"])),
        (tags::DIR_NAMES, texts(&["/usr/bin/", "/usr/share/"])),
        (1047, texts(&["hello"])),
        (1113, texts(&["2.10-3"])),
        (1112, Value::Numbers(vec![8])),
        (1049, texts(&["/bin/sh", "rpmlib(X)", "libc.so", "libc.so"])),
        (1050, texts(&["", "4.0-1", "1:2.0", "1:2.0"])),
        (1048, Value::Numbers(vec![1 << 9, 1 << 24 | 10, 12, 12])),
        (tags::CHANGELOG_TIME, Value::Numbers(vec![200, 100])),
        (tags::CHANGELOG_NAME, texts(&["B <b@x> 2", "A <a@x> 1"])),
        (tags::CHANGELOG_TEXT, texts(&["- second", "- first"])),
    ]
}

/// Replaces a value.
pub(crate) fn with(tag: u32, value: Value) -> Vec<(u32, Value)> {
    let mut values = hello();
    values.retain(|(other, _)| *other != tag);
    values.push((tag, value));
    values
}

/// A package with these tags.
pub(crate) fn rpm(values: &[(u32, Value)]) -> Vec<u8> {
    let mut file = vec![0; 96];
    file[..4].copy_from_slice(&[0xed, 0xab, 0xee, 0xdb]);
    let mut signature =
        header(tags::HEADER_SIGNATURES, &[(tags::SIGNATURE_PAYLOAD_SIZE, Value::Numbers(vec![121_000]))]);
    signature.resize(signature.len().next_multiple_of(8), 0);
    file.extend(signature);
    file.extend(header(tags::HEADER_IMMUTABLE, values));
    file.extend(b"the payload");
    file
}

/// A header with a region over all tags.
pub(crate) fn header(region: u32, values: &[(u32, Value)]) -> Vec<u8> {
    let (mut index, mut store) = (Vec::new(), Vec::new());
    let mut entry = |tag: u32, value_type: u32, offset: usize, count: usize| {
        for number in [tag, value_type, u32::try_from(offset).expect("small"), u32::try_from(count).expect("small")] {
            index.extend(number.to_be_bytes());
        }
    };
    entry(region, 7, 0, 16);
    let region_bytes = u32::try_from((values.len() + 1) * 16).expect("small").wrapping_neg();
    for number in [region, 7, region_bytes, 16] {
        store.extend(number.to_be_bytes());
    }
    for (tag, value) in values {
        let width = match value {
            Value::Numbers(_) => 4,
            Value::Shorts(_) => 2,
            _ => 1,
        };
        store.resize(store.len().next_multiple_of(width), 0);
        let offset = store.len();
        match value {
            Value::Text(text) => {
                store.extend([text.as_bytes(), b"\0"].concat());
                entry(*tag, 6, offset, 1);
            }
            Value::Texts(texts) => {
                texts.iter().for_each(|text| store.extend([text.as_bytes(), b"\0"].concat()));
                entry(*tag, 8, offset, texts.len());
            }
            Value::Numbers(numbers) => {
                numbers.iter().for_each(|number| store.extend(number.to_be_bytes()));
                entry(*tag, 4, offset, numbers.len());
            }
            Value::Shorts(numbers) => {
                numbers.iter().for_each(|number| store.extend(number.to_be_bytes()));
                entry(*tag, 3, offset, numbers.len());
            }
        }
    }
    let mut header = vec![0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0];
    header.extend(u32::try_from(values.len() + 1).expect("small").to_be_bytes());
    header.extend(u32::try_from(store.len()).expect("small").to_be_bytes());
    [header, index, store].concat()
}
