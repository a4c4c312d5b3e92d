//! A container image on the pages of its package and its versions.

use model::{address::VersionAddress, id::VersionId, names::VersionName};
use operations::{
    PackageAccess,
    format::{LayerView, ManifestEntry},
    oci::{self, ImageDescription, PlatformImage},
};
use web::{App, error::Result};

use super::releases::VersionLine;
use crate::{address, errors::allowed, sizes, visitor::Visitor};

/// The number of layers and steps that a page shows.
const SHOWN: usize = 100;

/// An image.
pub(crate) struct Image {
    pub(crate) title: String,
    pub(crate) digest: String,
    pub(crate) subject: String,
    pub(crate) platforms: Vec<Platform>,
    pub(crate) left_out: String,
    pub(crate) about: Vec<About>,
}

/// The image for a platform.
pub(crate) struct Platform {
    pub(crate) name: String,
    pub(crate) digest: String,
    pub(crate) size: String,
    pub(crate) layer_count: String,
    pub(crate) layers: Vec<Layer>,
    /// The steps that made the image.
    pub(crate) steps: Vec<String>,
}

/// A layer.
pub(crate) struct Layer {
    pub(crate) digest: String,
    pub(crate) size: String,
    pub(crate) made_by: String,
    pub(crate) media_type: String,
}

/// A signature, an attestation or another manifest about the image.
pub(crate) struct About {
    pub(crate) what: String,
    pub(crate) kind: String,
    pub(crate) name: String,
    /// Its page; empty if it has none of its own.
    pub(crate) address: String,
    pub(crate) size: String,
}

/// The image of a version, if it is one that the visitor may read.
pub(crate) async fn find(app: &App, visitor: &Visitor, at: &VersionAddress) -> Result<Option<Image>> {
    let described = allowed(oci::describe(app.house(), &visitor.caller, at).await)?.flatten();
    Ok(described.map(|described| image(at, described)))
}

fn image(at: &VersionAddress, described: ImageDescription) -> Image {
    let title = if described.purpose.is_empty() { "Image".to_owned() } else { described.purpose };
    let left_out = described.left_out as u64;
    Image {
        title,
        digest: described.digest,
        subject: described.subject.unwrap_or_default(),
        platforms: described.platforms.into_iter().map(platform).collect(),
        left_out: if left_out > 0 { sizes::counted(left_out, "other platform") } else { String::new() },
        about: described.about.into_iter().map(|(entry, version)| about(at, entry, &version)).collect(),
    }
}

fn platform(image: PlatformImage) -> Platform {
    let steps = image.config.history.into_iter().map(|step| step.made_by).filter(|step| !step.is_empty());
    Platform {
        name: if image.platform.is_empty() { "Any platform".to_owned() } else { image.platform },
        digest: image.digest,
        size: sizes::bytes(image.size),
        layer_count: sizes::counted(image.layers.len() as u64, "layer"),
        layers: image.layers.into_iter().take(SHOWN).map(layer).collect(),
        steps: steps.take(SHOWN).collect(),
    }
}

fn layer(layer: LayerView) -> Layer {
    let LayerView { digest, size, media_type, made_by } = layer;
    Layer { digest, size: sizes::bytes(size), made_by, media_type }
}

fn about(at: &VersionAddress, entry: ManifestEntry, version: &str) -> About {
    let page = |version| address::version(&VersionAddress { package: at.package.clone(), version });
    About {
        what: if entry.purpose.is_empty() { "Image".to_owned() } else { entry.purpose },
        name: if entry.digest.is_empty() { version.to_owned() } else { entry.digest },
        address: VersionName::parse(version).map(page).unwrap_or_default(),
        size: sizes::bytes(entry.size),
        kind: entry.kind,
    }
}

/// Adds to the lines of tags what they are, their platforms, and the size of a pull.
pub(crate) async fn add_to_lines(
    app: &App,
    access: &PackageAccess,
    versions: &[(VersionId, String)],
    lines: &mut [VersionLine],
) -> Result<()> {
    let summaries = oci::summarize(app.house(), access, versions).await?;
    for (line, (summary, size)) in lines.iter_mut().zip(summaries) {
        line.purpose = summary.purpose;
        line.platforms = summary.platforms;
        line.size = sizes::bytes(size.unsigned_abs());
    }
    Ok(())
}
