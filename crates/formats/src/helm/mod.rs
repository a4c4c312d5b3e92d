//! Helm chart repositories: charts in .tgz files and `index.yaml`.

pub mod index;
pub mod inspect;
pub mod metadata;
pub mod provenance;
pub mod version;
