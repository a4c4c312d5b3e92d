//! A small file that maps IP addresses to countries in MaxMind's format: a binary tree, data, and metadata.

use std::net::IpAddr;

/// The number of bits of an IPv6 address before those of an embedded IPv4 address.
const BEFORE_IPV4: usize = 96;

/// The separator between the tree and the data.
const SEPARATOR: [u8; 16] = [0; 16];

/// The start of the metadata at the end.
const MARKER: &[u8] = b"\xab\xcd\xefMaxMind.com";

/// Returns the bytes of a file with these networks and countries, such as `("10.0.0.0/8", "DE")`.
pub fn country_file(list: &[(&str, &str)]) -> Vec<u8> {
    let mut nodes: Vec<[Branch; 2]> = vec![[Branch::Nothing; 2]];
    let mut data = Vec::new();
    for (network, country) in list {
        grow(&mut nodes, &bits(network), Branch::Data(data.len()));
        data.extend(map(&[("country", map(&[("iso_code", text(country))]))]));
    }
    let mut file = Vec::new();
    for branch in nodes.iter().flatten() {
        let record = match branch {
            Branch::Node(node) => *node,
            Branch::Nothing => nodes.len(),
            Branch::Data(offset) => nodes.len() + SEPARATOR.len() + offset,
        };
        // Records of 24 bits.
        file.extend_from_slice(&u32::try_from(record).expect("a small file").to_be_bytes()[1..]);
    }
    [&file[..], &SEPARATOR, &data, MARKER, &description(nodes.len())].concat()
}

#[derive(Clone, Copy)]
enum Branch {
    Nothing,
    Node(usize),
    Data(usize),
}

fn grow(nodes: &mut Vec<[Branch; 2]>, bits: &[usize], leaf: Branch) {
    let (last, way) = bits.split_last().expect("a network has bits");
    let mut at = 0;
    for bit in way {
        at = match nodes[at][*bit] {
            Branch::Node(node) => node,
            _ => {
                nodes.push([Branch::Nothing; 2]);
                let node = nodes.len() - 1;
                nodes[at][*bit] = Branch::Node(node);
                node
            }
        };
    }
    nodes[at][*last] = leaf;
}

fn bits(network: &str) -> Vec<usize> {
    let (address, length) = network.split_once('/').expect("a network");
    let length: usize = length.parse().expect("a length");
    let (number, length) = match address.parse().expect("an address") {
        IpAddr::V4(address) => (u128::from(u32::from(address)), BEFORE_IPV4 + length),
        IpAddr::V6(address) => (u128::from(address), length),
    };
    (0..length).map(|bit| usize::from(number >> (127 - bit) & 1 == 1)).collect()
}

fn description(nodes: usize) -> Vec<u8> {
    let nodes = u32::try_from(nodes).expect("a small file");
    map(&[
        ("binary_format_major_version", number(5, 2)),
        ("binary_format_minor_version", number(5, 0)),
        // The type numbers of 64-bit integers and lists do not fit the first byte.
        ("build_epoch", vec![1, 2, 1]),
        ("database_type", text("Test-Country")),
        ("description", map(&[("en", text("Countries for tests"))])),
        ("ip_version", number(5, 6)),
        ("languages", [vec![1, 4], text("en")].concat()),
        ("node_count", number(6, nodes)),
        ("record_size", number(5, 24)),
    ])
}

fn number(kind: u8, value: u32) -> Vec<u8> {
    let bytes = if kind == 5 { &value.to_be_bytes()[2..] } else { &value.to_be_bytes()[..] };
    [&[head(kind, bytes.len())], bytes].concat()
}

fn text(value: &str) -> Vec<u8> {
    [&[head(2, value.len())], value.as_bytes()].concat()
}

fn map(fields: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let pairs = fields.iter().flat_map(|(name, value)| [text(name), value.clone()].concat());
    [head(7, fields.len())].into_iter().chain(pairs).collect()
}

/// Returns the control byte of a type and a size of up to 28.
fn head(kind: u8, size: usize) -> u8 {
    assert!(size <= 28, "longer texts have another form");
    kind << 5 | u8::try_from(size).expect("a small size")
}
