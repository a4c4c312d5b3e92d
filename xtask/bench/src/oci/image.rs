//! Images whose layers are files.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use xtask::failure::{Attempt, Result};

/// The size of a piece.
const PIECE: u64 = 64 * 1024;

/// The number and size of layers.
#[derive(Clone, Copy)]
pub(super) struct Size {
    pub(super) layers: u64,
    pub(super) layer_bytes: u64,
}

/// An image.
pub(super) struct Image {
    pub(super) layers: Vec<Layer>,
    pub(super) config: Vec<u8>,
    pub(super) manifest: String,
}

/// A layer.
#[derive(Clone)]
pub(super) struct Layer {
    pub(super) file: PathBuf,
    pub(super) bytes: u64,
    pub(super) digest: String,
}

impl Image {
    /// Makes an image that no other has a layer of. Its layers replace those of the last one in the folder.
    pub(super) fn new(folder: &Path, number: u64, size: Size) -> Result<Self> {
        let layer = |at: u64| {
            let seed = number.wrapping_mul(1_000).wrapping_add(at);
            Layer::new(folder.join(format!("layer-{at}")), seed, size.layer_bytes)
        };
        let layers = (0..size.layers).map(layer).collect::<Result<Vec<Layer>>>()?;
        let config = json!({ "os": "linux", "architecture": "amd64", "number": number }).to_string().into_bytes();
        let layers_of =
            |layer: &Layer| descriptor("application/vnd.oci.image.layer.v1.tar", &layer.digest, layer.bytes);
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": super::client::MANIFEST,
            "config": descriptor("application/vnd.oci.image.config.v1+json", &digest(&config), config.len() as u64),
            "layers": layers.iter().map(layers_of).collect::<Vec<Value>>(),
        });
        Ok(Self { layers, config, manifest: manifest.to_string() })
    }

    /// The size of all layers.
    pub(super) fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.bytes).sum()
    }
}

impl Layer {
    fn new(file: PathBuf, seed: u64, bytes: u64) -> Result<Self> {
        let (mut hash, mut target) = (Sha256::new(), File::create(&file).attempt("cannot create a layer")?);
        for piece in pieces(seed, bytes) {
            hash.update(&piece);
            target.write_all(&piece).attempt("cannot write a layer")?;
        }
        Ok(Self { file, bytes, digest: named(hash) })
    }
}

/// The pieces of a layer: numbers that look random, each piece another one.
fn pieces(seed: u64, bytes: u64) -> impl Iterator<Item = Vec<u8>> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let base: Vec<u8> = (0..PIECE / 8)
        .flat_map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state.to_le_bytes()
        })
        .collect();
    (0..bytes.div_ceil(PIECE)).map(move |at| {
        let length = usize::try_from((bytes - at * PIECE).min(PIECE)).unwrap_or_default();
        let mut piece = base[..length].to_vec();
        let number = at.to_le_bytes();
        for (byte, number) in piece.iter_mut().zip(number) {
            *byte = number;
        }
        piece
    })
}

fn descriptor(media_type: &str, digest: &str, bytes: u64) -> Value {
    json!({ "mediaType": media_type, "digest": digest, "size": bytes })
}

/// The digest of a small content.
pub(super) fn digest(bytes: &[u8]) -> String {
    let mut hash = Sha256::new();
    hash.update(bytes);
    named(hash)
}

fn named(hash: Sha256) -> String {
    let hex: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
