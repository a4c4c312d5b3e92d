//! What the page of a project says about a file besides its size and digest. It is stored in the file's row, so that
//! pages are built without METADATA of all wheels.

use serde::{Deserialize, Serialize};

use super::metadata::ProjectFacts;

/// The facts of one file.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(super) struct PageFacts {
    /// The versions of Python that it runs on.
    #[serde(default, rename = "python", skip_serializing_if = "Option::is_none")]
    pub(super) requires_python: Option<String>,
    /// The SHA-256 of METADATA, for wheels only.
    #[serde(default, rename = "metadata", skip_serializing_if = "Option::is_none")]
    pub(super) metadata_sha256: Option<String>,
}

impl PageFacts {
    pub(super) fn encode(&self) -> String {
        serde_json::to_string(self).expect("facts have text keys")
    }

    /// Files without facts have none of the fields.
    pub(super) fn decode(text: &str) -> Self {
        serde_json::from_str(text).unwrap_or_default()
    }
}

impl From<ProjectFacts> for PageFacts {
    fn from(facts: ProjectFacts) -> Self {
        Self { requires_python: facts.requires_python, metadata_sha256: facts.metadata_sha256 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn facts_are_read_as_they_were_written(
            requires_python in proptest::option::of("\\PC{0,30}"),
            metadata_sha256 in proptest::option::of("[0-9a-f]{64}"),
        ) {
            let facts = PageFacts { requires_python, metadata_sha256 };
            prop_assert_eq!(PageFacts::decode(&facts.encode()), facts);
        }
    }

    #[test]
    fn other_texts_are_no_facts() {
        assert_eq!(PageFacts::decode("no JSON"), PageFacts::default());
    }
}
