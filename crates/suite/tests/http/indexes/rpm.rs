//! RPM packages for tests.

/// The numbers of tags.
const SIGNATURES: u32 = 62;
const IMMUTABLE: u32 = 63;

/// A package without files. The payload tells packages with the same header apart.
pub(crate) fn rpm(name: &str, version: &str, payload: &str) -> Vec<u8> {
    let mut file = vec![0; 96];
    file[..4].copy_from_slice(&[0xed, 0xab, 0xee, 0xdb]);
    let mut signature = header(SIGNATURES, &[]);
    signature.resize(signature.len().next_multiple_of(8), 0);
    file.extend(signature);
    let values = [
        (1000, name),
        (1001, version),
        (1002, "1"),
        (1004, "of ada"),
        (1005, "of ada"),
        (1014, "MIT"),
        (1022, "noarch"),
        (1044, "hello.src.rpm"),
    ];
    file.extend(header(IMMUTABLE, &values));
    file.extend(payload.as_bytes());
    file
}

/// A header of texts, with a region over all of them.
fn header(region: u32, values: &[(u32, &str)]) -> Vec<u8> {
    let number = |number: usize| u32::try_from(number).expect("small").to_be_bytes();
    let (mut index, mut store) = (Vec::new(), Vec::new());
    let region_bytes = u32::try_from((values.len() + 1) * 16).expect("small").wrapping_neg();
    index.extend([region, 7, 0, 16].map(u32::to_be_bytes).concat());
    store.extend([region, 7, region_bytes, 16].map(u32::to_be_bytes).concat());
    for (tag, text) in values {
        index.extend([tag.to_be_bytes(), 6_u32.to_be_bytes(), number(store.len()), 1_u32.to_be_bytes()].concat());
        store.extend([text.as_bytes(), b"\0"].concat());
    }
    let mut header = vec![0x8e, 0xad, 0xe8, 0x01, 0, 0, 0, 0];
    header.extend([number(values.len() + 1), number(store.len())].concat());
    [header, index, store].concat()
}
