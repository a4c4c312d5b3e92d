//! Versions of packages.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{AttributeValues, Build, Mark, flag::maybe_flag, patch::present};

/// A version.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Version {
    /// Its name.
    pub name: String,
    /// What is new.
    pub desc: String,
    /// The package it is of.
    pub package: String,
    /// The repository of that package.
    pub repo: String,
    /// The owner of that repository.
    pub owner: String,
    /// Words to find it by. The contract spells it so.
    pub lables: Vec<String>,
    /// The same words, under the name that existing clients read.
    pub labels: Vec<String>,
    /// The names of its attributes.
    pub attribute_names: Vec<String>,
    /// When it was made.
    pub created: String,
    /// When it, or something in it, last changed.
    pub updated: String,
    /// When it was released.
    pub released: Option<String>,
    /// Its position among the package's versions, from 1; never reused.
    pub ordinal: i64,
    /// Whether it has a published file.
    pub published: bool,
    /// Its tag in the source.
    pub vcs_tag: Option<String>,
    /// Whether release notes come from that tag.
    pub github_use_tag_release_notes: bool,
    /// The file in the source that has the release notes.
    pub github_release_notes_file: Option<String>,
    /// Whether it was withdrawn: the reason, or true without one; absent if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub yanked: Option<Mark>,
    /// Whether it is deprecated: the text for those who use it, or true without one; absent if it is not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Mark>,
    /// Whether searches leave it out: a text, or true without one; absent if they do not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlisted: Option<Mark>,
    /// The build that published it last, if a trusted publisher did. Lists have it not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_by: Option<Build>,
    /// The values of its attributes, by their names, when they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attributes: Option<AttributeValues>,
}

/// The body that creates a version.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct NewVersion {
    /// Its name.
    pub name: String,
    /// Everything else.
    #[serde(flatten)]
    pub change: VersionChange,
}

/// The body that changes a version. Absent fields stay unchanged.
#[derive(Debug, Clone, Default, Serialize, Deserialize, ToSchema)]
pub struct VersionChange {
    /// What is new.
    pub desc: Option<String>,
    /// Words to find it by.
    pub labels: Option<Vec<String>>,
    /// The same words in the contract's spelling, for clients that send back what they received; `labels` wins.
    pub lables: Option<Vec<String>>,
    /// Its tag in the source; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub vcs_tag: Option<Option<String>>,
    /// Whether release notes come from that tag.
    #[serde(default, deserialize_with = "maybe_flag")]
    pub github_use_tag_release_notes: Option<bool>,
    /// The file in the source that has the release notes; null removes it.
    #[serde(default, deserialize_with = "present")]
    pub github_release_notes_file: Option<Option<String>>,
    /// When it was released; null removes it, and an empty text counts as absent.
    #[serde(default, deserialize_with = "present")]
    pub released: Option<Option<String>>,
    /// Withdraws it: true, or the reason; false, null and an empty text take that back.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub yanked: Option<Option<Mark>>,
    /// Deprecates it: true, or a text for those who use it; false, null and an empty text take that back.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Option<Mark>>,
}
