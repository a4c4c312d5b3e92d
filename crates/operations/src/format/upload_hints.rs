//! What an upload says about the place of its file in indexes.

use model::repo::RepoProfile;

/// What an upload says about the place of its file in indexes.
#[derive(Debug, Clone, Copy)]
pub struct UploadHints<'h> {
    /// The parameters that the format understands, each with its value.
    pub given: &'h [(String, String)],
    /// The settings of the repository, which has defaults for some.
    pub repo: &'h RepoProfile,
}

impl UploadHints<'_> {
    /// The value of a parameter, if the upload has it.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.given.iter().find(|(given, _)| given == name).map(|(_, value)| value.as_str())
    }
}
