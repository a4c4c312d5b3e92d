//! Pictures as PNG: as much of the format as screenshots need, and their comparison.

use std::io::{Read, Write};

use flate2::{Compression, Crc, read::ZlibDecoder, write::ZlibEncoder};

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The number of colors of a pixel.
const COLORS: usize = 3;

/// A picture with eight bits for each of red, green and blue.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    pixels: Vec<u8>,
}

impl Picture {
    /// Reads a picture; transparency is dropped.
    pub(crate) fn read(file: &[u8]) -> Self {
        let mut rest = file.strip_prefix(SIGNATURE).expect("a PNG");
        let (mut head, mut packed) = (Vec::new(), Vec::new());
        while rest.len() >= 12 {
            let length = number(rest);
            let (kind, content) = (&rest[4..8], &rest[8..8 + length]);
            match kind {
                b"IHDR" => head = content.to_vec(),
                b"IDAT" => packed.extend_from_slice(content),
                _ => {}
            }
            rest = &rest[12 + length..];
        }
        let (width, height, depth) = (number(&head), number(&head[4..]), head[8]);
        let channels = match head[9] {
            2 => 3,
            6 => 4,
            other => panic!("PNG of color type {other}"),
        };
        assert_eq!((depth, head[12]), (8, 0), "eight bits, not interlaced");
        let mut lines = Vec::new();
        ZlibDecoder::new(&packed[..]).read_to_end(&mut lines).expect("packed");
        let plain = unfilter(&lines, width * channels, channels);
        let pixels = plain.chunks_exact(channels).flat_map(|pixel| &pixel[..COLORS]).copied().collect();
        Self { width, height, pixels }
    }

    /// Writes the picture: each line holds differences to the one above, which pack well.
    pub(crate) fn write(&self) -> Vec<u8> {
        let stride = self.width * COLORS;
        let mut lines = Vec::new();
        let mut above = vec![0; stride];
        for line in self.pixels.chunks_exact(stride) {
            lines.push(2);
            lines.extend(line.iter().zip(&above).map(|(byte, above)| byte.wrapping_sub(*above)));
            above = line.to_vec();
        }
        let mut packed = ZlibEncoder::new(Vec::new(), Compression::best());
        packed.write_all(&lines).expect("packed");
        let size = |number: usize| u32::try_from(number).expect("small").to_be_bytes();
        let head = [&size(self.width)[..], &size(self.height), &[8, 2, 0, 0, 0]].concat();
        let parts = [(b"IHDR", head), (b"IDAT", packed.finish().expect("packed")), (b"IEND", Vec::new())];
        parts.into_iter().fold(SIGNATURE.to_vec(), |file, (kind, content)| {
            let body = [&kind[..], &content].concat();
            let mut sum = Crc::new();
            sum.update(&body);
            [file, size(content.len()).to_vec(), body, sum.sum().to_be_bytes().to_vec()].concat()
        })
    }

    /// A picture whose pixels are the averages of squares of this one.
    pub(crate) fn shrunk(&self, by: usize) -> Self {
        let (width, height) = (self.width / by, self.height / by);
        let average = |x: usize, y: usize, color: usize| {
            let square = (0..by).flat_map(|dy| (0..by).map(move |dx| (x * by + dx, y * by + dy)));
            let sum: usize = square.map(|(x, y)| usize::from(self.pixels[(y * self.width + x) * COLORS + color])).sum();
            u8::try_from(sum / (by * by)).expect("an average of bytes")
        };
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let pixels = places.flat_map(|(x, y)| (0..COLORS).map(move |color| average(x, y, color))).collect();
        Self { width, height, pixels }
    }

    /// The share of pixels with a color that differs by more than this; all of them if the sizes differ.
    pub(crate) fn difference(&self, other: &Self, more_than: u8) -> f64 {
        if (self.width, self.height) != (other.width, other.height) {
            return 1.0;
        }
        let pairs = self.pixels.chunks_exact(COLORS).zip(other.pixels.chunks_exact(COLORS));
        let differs = |(one, two): &(&[u8], &[u8])| one.iter().zip(*two).any(|(a, b)| a.abs_diff(*b) > more_than);
        let count = pairs.filter(differs).count();
        count as f64 / (self.width * self.height) as f64
    }
}

fn number(bytes: &[u8]) -> usize {
    bytes[..4].iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// Undoes the filters of the lines.
fn unfilter(lines: &[u8], stride: usize, channels: usize) -> Vec<u8> {
    let mut plain: Vec<u8> = Vec::with_capacity(lines.len());
    let mut above = vec![0; stride];
    for line in lines.chunks_exact(stride + 1) {
        let mut current: Vec<u8> = Vec::with_capacity(stride);
        for (place, byte) in line[1..].iter().enumerate() {
            let left = if place < channels { 0 } else { current[place - channels] };
            let corner = if place < channels { 0 } else { above[place - channels] };
            current.push(byte.wrapping_add(predicted(line[0], left, above[place], corner)));
        }
        plain.extend_from_slice(&current);
        above = current;
    }
    plain
}

fn predicted(filter: u8, left: u8, above: u8, corner: u8) -> u8 {
    let [a, b, c] = [left, above, corner].map(i16::from);
    match filter {
        0 => 0,
        1 => left,
        2 => above,
        3 => u8::try_from((a + b) / 2).expect("an average of bytes"),
        _ => {
            let distance = |value: i16| (a + b - c - value).abs();
            if distance(a) <= distance(b) && distance(a) <= distance(c) {
                left
            } else if distance(b) <= distance(c) {
                above
            } else {
                corner
            }
        }
    }
}

#[test]
fn a_picture_comes_back_as_it_was_written() {
    let pixels = (0..40 * 20 * COLORS).map(|number| u8::try_from(number * 7 % 251).expect("a byte")).collect();
    let picture = Picture { width: 40, height: 20, pixels };
    let again = Picture::read(&picture.write());
    assert_eq!(picture, again);
    assert!(picture.difference(&again, 0) == 0.0);
    assert!(picture.difference(&picture.shrunk(2), 0) == 1.0);
    let mut other = again;
    other.pixels[0] = other.pixels[0].wrapping_add(100);
    assert!((picture.difference(&other, 24) - 1.0 / 800.0).abs() < 1e-9);
}
