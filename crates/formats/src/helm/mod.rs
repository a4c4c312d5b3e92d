//! Helm chart repositories: charts in .tgz files and `index.yaml`.

mod format;
pub mod index;
pub mod inspect;
pub mod metadata;
mod native;
pub mod provenance;
pub mod version;

pub use format::Helm;
pub use native::ChartMuseum;
