//! Archives of `docker save`, which have no manifest: it is written here.

use std::io::Read;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    Image, Manifest,
    layout::{ImageContent, Layout},
};
use crate::error::{Error, Result};

const MANIFEST: &str = "application/vnd.oci.image.manifest.v1+json";
const CONFIG: &str = "application/vnd.oci.image.config.v1+json";

/// Reads the image with this tag, or the only one of the archive.
pub(super) fn read(layout: &Layout, tag: &str) -> Result<Image> {
    let list = layout.part("manifest.json")?.json()?;
    let entries = list.as_array().map_or(&[][..], Vec::as_slice);
    let is_named = |entry: &&Value| {
        let names = entry["RepoTags"].as_array().into_iter().flatten().filter_map(Value::as_str);
        names.map(|name| name.rsplit(':').next()).any(|name| name == Some(tag))
    };
    let entry = match entries {
        [only] => only,
        several => several.iter().find(is_named).ok_or_else(|| {
            Error::usage(format!("the archive has {} images, but none with the tag {tag}", several.len()))
        })?,
    };
    let mut image = Image::default();
    let config = add(&mut image, layout.part(entry["Config"].as_str().unwrap_or_default())?, CONFIG)?;
    let mut layers = Vec::new();
    for name in entry["Layers"].as_array().into_iter().flatten().filter_map(Value::as_str) {
        let part = layout.part(name)?;
        let media_type = layer_type(&part)?;
        layers.push(add(&mut image, part, media_type)?);
    }
    let document = json!({ "schemaVersion": 2, "mediaType": MANIFEST, "config": config, "layers": layers });
    let bytes = document.to_string().into_bytes();
    let digest = name(Sha256::digest(&bytes).as_slice());
    image.manifests.push(Manifest { digest, media_type: MANIFEST.to_owned(), bytes });
    Ok(image)
}

/// Adds content; returns its descriptor.
fn add(image: &mut Image, part: ImageContent, media_type: &str) -> Result<Value> {
    let mut sum = Sha256::new();
    let failed = |error| Error::local(part.path.display(), error);
    let mut file = part.open().map_err(failed)?;
    let mut buffer = vec![0; 256 << 10];
    loop {
        match file.read(&mut buffer).map_err(failed)? {
            0 => break,
            length => sum.update(&buffer[..length]),
        }
    }
    let digest = name(sum.finalize().as_slice());
    let descriptor = json!({ "mediaType": media_type, "digest": digest, "size": part.size });
    if image.blobs.iter().all(|(known, _)| *known != digest) {
        image.blobs.push((digest, part));
    }
    Ok(descriptor)
}

/// The type of a layer: some programs compress them.
fn layer_type(part: &ImageContent) -> Result<&'static str> {
    let mut start = [0; 2];
    let read = part.open().and_then(|mut file| file.read(&mut start));
    read.map_err(|error| Error::local(part.path.display(), error))?;
    Ok(if start == [0x1f, 0x8b] {
        "application/vnd.oci.image.layer.v1.tar+gzip"
    } else {
        "application/vnd.oci.image.layer.v1.tar"
    })
}

fn name(sum: &[u8]) -> String {
    let hex: String = sum.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("sha256:{hex}")
}
