//! Images in the layout of OCI.

use serde_json::Value;

use super::{Image, Manifest, layout::Layout};
use crate::error::{Error, Result};

/// The maximum depth of indexes in indexes.
const DEPTH: usize = 20;

/// The name of an image in a layout.
const NAME: &str = "org.opencontainers.image.ref.name";

/// Reads the image with this tag, or the only one of the layout.
pub(super) fn read(layout: &Layout, tag: &str) -> Result<Image> {
    let index = layout.part("index.json")?.json()?;
    let entries = index["manifests"].as_array().map_or(&[][..], Vec::as_slice);
    let name = |entry: &Value| entry["annotations"][NAME].as_str().unwrap_or_default().to_owned();
    let is_named = |entry: &&Value| name(entry).rsplit(['/', ':']).next() == Some(tag);
    let entry = match entries {
        [only] => only,
        several => several.iter().find(is_named).ok_or_else(|| {
            let names: Vec<String> = several.iter().map(name).collect();
            Error::usage(format!("the layout has {} images, but none with the tag {tag}", names.len()))
                .hint(format!("its images are: {}", names.join(", ")))
        })?,
    };
    let mut image = Image::default();
    add(&mut image, layout, entry, DEPTH)?;
    Ok(image)
}

/// Adds a manifest with everything that it names, itself last.
fn add(image: &mut Image, layout: &Layout, entry: &Value, depth: usize) -> Result<()> {
    let digest = entry["digest"].as_str().unwrap_or_default().to_owned();
    if image.manifests.iter().any(|manifest| manifest.digest == digest) {
        return Ok(());
    }
    if depth == 0 {
        return Err(Error::usage(format!("the indexes of the image are nested more than {DEPTH} levels")));
    }
    let part = layout.blob(&digest)?;
    let document = part.json()?;
    for child in list(&document, "manifests") {
        add(image, layout, child, depth - 1)?;
    }
    for blob in list(&document, "layers").chain(document.get("config")) {
        let is_foreign = blob["urls"].as_array().is_some_and(|urls| !urls.is_empty());
        let digest = blob["digest"].as_str().unwrap_or_default().to_owned();
        let is_known = image.blobs.iter().any(|(known, _)| *known == digest);
        match layout.blob(&digest) {
            Err(_) if is_foreign => {}
            found => image.blobs.extend(Some((digest, found?)).filter(|_| !is_known)),
        }
    }
    let media_type = entry["mediaType"].as_str().or_else(|| document["mediaType"].as_str());
    let media_type = media_type.unwrap_or("application/vnd.oci.image.manifest.v1+json").to_owned();
    image.manifests.push(Manifest { digest, media_type, bytes: part.read()? });
    Ok(())
}

fn list<'d>(document: &'d Value, key: &str) -> impl Iterator<Item = &'d Value> {
    document.get(key).and_then(Value::as_array).into_iter().flatten()
}
