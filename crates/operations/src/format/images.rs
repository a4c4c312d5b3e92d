//! What pages show of a container image. A format reads it from manifests and configurations.

/// Reads manifests and configurations of container images. All methods are pure; what cannot be read is left out.
pub trait ImageReader: Send + Sync {
    /// Reads a manifest or an index.
    fn manifest(&self, bytes: &[u8]) -> Option<ManifestView>;

    /// Reads the configuration of an image.
    fn config(&self, bytes: &[u8]) -> Option<ConfigView>;

    /// Reads an entry of a list of referrers.
    fn referrer(&self, entry: &str) -> Option<ManifestEntry>;

    /// Reads the facts that are stored about a manifest, for lists of tags.
    fn summary(&self, tag: &str, facts: &str) -> ImageSummary;

    /// The tags that clients give to manifests about the manifest with this digest.
    fn tags_about(&self, digest: &str) -> Vec<String>;
}

/// A manifest or an index.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestView {
    /// What it is, such as `Helm chart`; empty for an image.
    pub purpose: String,
    /// The digest of its configuration.
    pub config: Option<String>,
    /// Its layers.
    pub layers: Vec<LayerView>,
    /// The manifests of an index.
    pub children: Vec<ManifestEntry>,
    /// The digest of the manifest that it refers to.
    pub subject: Option<String>,
    /// The sum of the sizes of its configuration and layers.
    pub size: u64,
}

/// A layer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LayerView {
    /// Its digest.
    pub digest: String,
    /// Its size.
    pub size: u64,
    /// Its media type.
    pub media_type: String,
    /// The command that made it, if the configuration says it.
    pub made_by: String,
}

/// A manifest in a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ManifestEntry {
    /// Its digest.
    pub digest: String,
    /// Its size.
    pub size: u64,
    /// The platform, as `linux/amd64`; empty without one.
    pub platform: String,
    /// What it is, such as `Signature`; empty for an image.
    pub purpose: String,
    /// Its artifact type or media type.
    pub kind: String,
}

/// The configuration of an image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConfigView {
    /// The platform, as `linux/amd64`; empty without one.
    pub platform: String,
    /// The steps that made the image, the first one first.
    pub history: Vec<HistoryStep>,
}

/// A step that made an image.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HistoryStep {
    /// The command.
    pub made_by: String,
    /// Whether it made no layer.
    pub is_empty: bool,
}

/// What a list of tags shows of each.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ImageSummary {
    /// What the tag is, such as `Signature`; empty for an image.
    pub purpose: String,
    /// The platforms.
    pub platforms: Vec<String>,
}
