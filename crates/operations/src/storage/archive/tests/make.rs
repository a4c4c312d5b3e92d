//! Builds archives: valid ones, and ones with any field wrong.

use std::io::Write;

use flate2::{Compression, write::DeflateEncoder, write::GzEncoder};
use lzma_rust2::{XzOptions, XzWriter};

/// An entry of a zip, with all its fields in the file.
#[derive(Clone)]
pub(super) struct Zipped {
    pub(super) name: Vec<u8>,
    pub(super) local_name: Vec<u8>,
    pub(super) made_by: u16,
    pub(super) flags: u16,
    pub(super) local_flags: u16,
    pub(super) method: u16,
    pub(super) local_method: u16,
    pub(super) crc: u32,
    pub(super) packed: Vec<u8>,
    pub(super) packed_bytes: u32,
    pub(super) bytes: u32,
    /// The values in the local header: checksum, compressed size, size.
    pub(super) local_claims: [u32; 3],
    pub(super) extra: Vec<u8>,
    pub(super) local_extra: Vec<u8>,
    pub(super) attributes: u32,
    /// The data descriptor after the content.
    pub(super) descriptor: Vec<u8>,
}

pub(super) fn stored(name: &str, content: &[u8]) -> Zipped {
    entry(name, 0, content, content.to_vec())
}

pub(super) fn deflated(name: &str, content: &[u8]) -> Zipped {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).expect("written");
    entry(name, 8, content, encoder.finish().expect("finished"))
}

fn entry(name: &str, method: u16, content: &[u8], packed: Vec<u8>) -> Zipped {
    let (crc, bytes, packed_bytes) = (rawzip::crc32(content), length(content), length(&packed));
    Zipped {
        name: name.into(),
        local_name: name.into(),
        made_by: 20,
        flags: 0,
        local_flags: 0,
        method,
        local_method: method,
        crc,
        packed,
        packed_bytes,
        bytes,
        local_claims: [crc, packed_bytes, bytes],
        extra: Vec::new(),
        local_extra: Vec::new(),
        attributes: 0,
        descriptor: Vec::new(),
    }
}

impl Zipped {
    /// Returns the entry with a change applied.
    pub(super) fn with(mut self, change: impl FnOnce(&mut Self)) -> Self {
        change(&mut self);
        self
    }

    /// Returns the entry as written to a stream that cannot seek.
    pub(super) fn streamed(mut self, descriptor: &[u8]) -> Self {
        (self.flags, self.local_flags, self.local_claims) = (8, 8, [0; 3]);
        self.descriptor = descriptor.to_vec();
        self
    }

    /// The local header, the content and the descriptor after it.
    pub(super) fn local(&self) -> Vec<u8> {
        let [crc, packed_bytes, bytes] = self.local_claims;
        let mut local = b"PK\x03\x04\x14\0".to_vec();
        put(&mut local, &[self.local_flags, self.local_method, 0, 33]);
        put_wide(&mut local, &[crc, packed_bytes, bytes]);
        put(&mut local, &[short(&self.local_name), short(&self.local_extra)]);
        [&local, &self.local_name, &self.local_extra, &self.packed, &self.descriptor].map(Vec::as_slice).concat()
    }

    /// The directory record for a local header at this offset.
    pub(super) fn listed(&self, offset: u32) -> Vec<u8> {
        let mut listed = b"PK\x01\x02".to_vec();
        put(&mut listed, &[self.made_by, 20, self.flags, self.method, 0, 33]);
        put_wide(&mut listed, &[self.crc, self.packed_bytes, self.bytes]);
        put(&mut listed, &[short(&self.name), short(&self.extra), 0, 0, 0]);
        put_wide(&mut listed, &[self.attributes, offset]);
        [&listed, &self.name, &self.extra].map(Vec::as_slice).concat()
    }
}

pub(super) fn zip(entries: &[Zipped]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    for entry in entries {
        directory.extend(entry.listed(length(&file)));
        file.extend(entry.local());
    }
    end_zip(file, &directory, entries.len())
}

/// Appends the directory and the end record to the local entries.
pub(super) fn end_zip(mut file: Vec<u8>, directory: &[u8], entries: usize) -> Vec<u8> {
    let (start, count) = (length(&file), u16::try_from(entries).expect("few"));
    file.extend(directory);
    file.extend(b"PK\x05\x06");
    put(&mut file, &[0, 0, count, count]);
    put_wide(&mut file, &[length(directory), start]);
    put(&mut file, &[0]);
    file
}

/// Builds a tar of these files with the `tar` crate: GNU headers, long names where needed.
pub(super) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        builder.append_data(&mut header, path, *content).expect("appended");
    }
    builder.into_inner().expect("finished")
}

/// Builds one entry with a name that no correct program would write.
pub(super) fn tar_entry(name: &[u8], entry_type: u8, content: &[u8]) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name);
    header.set_entry_type(tar::EntryType::new(entry_type));
    header.set_size(content.len() as u64);
    tar_block(header, content)
}

/// Builds the header with the right sum, and the content with its padding.
pub(super) fn tar_block(mut header: tar::Header, content: &[u8]) -> Vec<u8> {
    header.set_cksum();
    let padding = vec![0; content.len().wrapping_neg() % 512];
    [header.as_bytes(), content, &padding].concat()
}

/// Joins entries and appends the end mark.
pub(super) fn tape(entries: &[Vec<u8>]) -> Vec<u8> {
    [&entries.concat()[..], &[0; 1024]].concat()
}

pub(super) fn gzip(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain).expect("written");
    encoder.finish().expect("finished")
}

pub(super) fn xz(plain: &[u8]) -> Vec<u8> {
    let mut encoder = XzWriter::new(Vec::new(), XzOptions::with_preset(0)).expect("options");
    encoder.write_all(plain).expect("written");
    encoder.finish().expect("finished")
}

pub(super) fn zstd(plain: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::Encoder::new(Vec::new(), 1).expect("options");
    encoder.include_checksum(true).expect("options");
    encoder.write_all(plain).expect("written");
    encoder.finish().expect("finished")
}

fn put(file: &mut Vec<u8>, fields: &[u16]) {
    fields.iter().for_each(|field| file.extend(field.to_le_bytes()));
}

pub(super) fn put_wide(file: &mut Vec<u8>, fields: &[u32]) {
    fields.iter().for_each(|field| file.extend(field.to_le_bytes()));
}

pub(super) fn length(bytes: &[u8]) -> u32 {
    bytes.len().try_into().expect("small")
}

fn short(bytes: &[u8]) -> u16 {
    bytes.len().try_into().expect("small")
}
