//! Images whose layers are made while they are sent.

use std::convert::Infallible;

use hyper::body::{Bytes, Frame};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

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

/// A layer, or a configuration.
#[derive(Clone)]
pub(super) struct Layer {
    seed: u64,
    pub(super) bytes: u64,
    pub(super) digest: String,
}

impl Image {
    /// Makes an image that no other has a layer of.
    pub(super) fn new(number: u64, size: Size) -> Self {
        let layer = |at: u64| Layer::new(number.wrapping_mul(1_000).wrapping_add(at), size.layer_bytes);
        let layers: Vec<Layer> = (0..size.layers).map(layer).collect();
        let config = json!({ "os": "linux", "architecture": "amd64", "number": number }).to_string().into_bytes();
        let layers_of =
            |layer: &Layer| descriptor("application/vnd.oci.image.layer.v1.tar", &layer.digest, layer.bytes);
        let manifest = json!({
            "schemaVersion": 2,
            "mediaType": super::client::MANIFEST,
            "config": descriptor("application/vnd.oci.image.config.v1+json", &digest(&config), config.len() as u64),
            "layers": layers.iter().map(layers_of).collect::<Vec<Value>>(),
        });
        Self { layers, config, manifest: manifest.to_string() }
    }

    /// The size of all layers.
    pub(super) fn bytes(&self) -> u64 {
        self.layers.iter().map(|layer| layer.bytes).sum()
    }
}

impl Layer {
    fn new(seed: u64, bytes: u64) -> Self {
        let mut hash = Sha256::new();
        for piece in pieces(seed, bytes) {
            hash.update(&piece);
        }
        Self { seed, bytes, digest: named(hash) }
    }

    /// The frames of its body.
    pub(super) fn frames(&self) -> impl Iterator<Item = Result<Frame<Bytes>, Infallible>> + Send + use<> {
        pieces(self.seed, self.bytes).map(|piece| Ok(Frame::data(piece)))
    }
}

/// The pieces of a layer: numbers that look random, each piece another one.
fn pieces(seed: u64, bytes: u64) -> impl Iterator<Item = Bytes> + Send {
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
        Bytes::from(piece)
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
