//! Changes to agreements.

use model::{
    document::{Syntax, check_content},
    eula::Eula,
    names::VersionName,
};

use crate::{Error, Result, change::Edits};

/// The maximum number of versions that an agreement names.
const VERSIONS: usize = 200;

/// Changes to an agreement. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct EulaChange {
    /// Its markup syntax.
    pub syntax: Option<Syntax>,
    /// Its text.
    pub content: Option<String>,
    /// Whether it binds versions that no agreement names.
    pub is_default: Option<bool>,
    /// The versions it binds.
    pub versions: Option<Vec<String>>,
}

impl EulaChange {
    /// Applies the changes to an agreement.
    pub(super) fn apply(&self, eula: &mut Eula, edits: &mut Edits) {
        edits.set("syntax", &mut eula.document.syntax, &self.syntax);
        edits.set("content", &mut eula.document.content, &self.content);
        edits.set("default", &mut eula.is_default, &self.is_default);
    }

    /// Checks the fields and returns the named versions.
    pub(super) fn check(&self) -> Result<Option<Vec<VersionName>>> {
        let content = self.content.as_deref();
        check_content(content.unwrap_or_default()).map_err(|reason| Error::invalid("content", reason))?;
        if content.is_some_and(|content| content.trim().is_empty()) {
            return Err(Error::invalid("content", "it is empty; give the text of the EULA"));
        }
        let Some(names) = &self.versions else { return Ok(None) };
        if names.len() > VERSIONS {
            return Err(Error::invalid("versions", format!("there are more than {VERSIONS}")));
        }
        let parse = |name: &String| VersionName::parse(name).map_err(|error| Error::invalid("versions", error));
        let mut versions = Vec::new();
        for version in names.iter().map(parse) {
            let version = version?;
            if !versions.contains(&version) {
                versions.push(version);
            }
        }
        Ok(Some(versions))
    }
}
