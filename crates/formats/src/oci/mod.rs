//! OCI registries: names, references, manifests, upload ranges and the documents of the distribution specification.

pub mod config;
pub mod error;
pub mod manifest;
pub mod name;
pub mod paging;
pub mod path;
pub mod range;
pub mod reference;
pub mod referrers;
pub mod token;

mod descriptor;
mod format;
mod purpose;
mod reader;

pub use self::{
    config::ImageConfig,
    descriptor::{OciDescriptor, OciPlatform},
    error::{OciError, OciErrorCode},
    format::Docker,
    manifest::{ManifestKind, OciManifest},
    name::ImageName,
    path::OciPath,
    reference::{OciDigest, OciReference, OciTag},
};
