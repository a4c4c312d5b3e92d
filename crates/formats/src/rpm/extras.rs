//! Documents of users that a metadata root lists beside its packages: modules, advisories and groups.

use serde::{Deserialize, Serialize};

use crate::readers::Content;

/// The maximum size of such a document.
const MAX_BYTES: u64 = 4 << 20;

/// The kind of such a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RpmExtra {
    /// `modules.yaml`.
    Modules,
    /// `updateinfo.xml`.
    Advisories,
    /// `comps.xml`.
    Groups,
}

/// What a document contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ExtraFacts {
    /// Its text.
    pub text: String,
}

impl RpmExtra {
    /// All kinds.
    pub const ALL: [RpmExtra; 3] = [RpmExtra::Modules, RpmExtra::Advisories, RpmExtra::Groups];

    /// The name of the file in the folder of the metadata root.
    pub fn file(self) -> &'static str {
        match self {
            RpmExtra::Modules => "modules.yaml",
            RpmExtra::Advisories => "updateinfo.xml",
            RpmExtra::Groups => "comps.xml",
        }
    }

    /// The type in `repomd.xml`, which is also the name of the stream.
    pub fn name(self) -> &'static str {
        match self {
            RpmExtra::Modules => "modules",
            RpmExtra::Advisories => "updateinfo",
            RpmExtra::Groups => "group",
        }
    }

    /// Whether `repomd.xml` lists the compressed file. Clients read the others as they are.
    pub fn is_compressed(self) -> bool {
        self == RpmExtra::Advisories
    }

    /// The kind of a file with this name.
    pub fn of_file(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.file() == name)
    }

    /// Reads a document. Clients interpret it; here it must only be what its name says.
    pub fn inspect(self, content: &mut dyn Content) -> Result<ExtraFacts, String> {
        if content.size() > MAX_BYTES {
            return Err(format!("{} has at most {MAX_BYTES} bytes", self.file()));
        }
        let mut text = String::new();
        content.read_to_string(&mut text).map_err(|_| format!("{} is not a text in UTF-8", self.file()))?;
        let root = match self {
            RpmExtra::Modules => "document: modulemd",
            RpmExtra::Advisories => "<updates",
            RpmExtra::Groups => "<comps",
        };
        let is_right = text.contains(root) && !text.contains("<!ENTITY") && !text.contains('\0');
        if !text.ends_with('\n') {
            text.push('\n');
        }
        is_right.then_some(ExtraFacts { text }).ok_or_else(|| format!("it is not a {}", self.file()))
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::*;

    #[test]
    fn documents_are_what_their_names_say() {
        let read = |kind: RpmExtra, text: &str| kind.inspect(&mut Cursor::new(text.as_bytes().to_vec()));
        let modules = "---\ndocument: modulemd\nversion: 2\n";
        assert_eq!(read(RpmExtra::Modules, modules.trim_end()).map(|facts| facts.text).as_deref(), Ok(modules));
        assert!(read(RpmExtra::Groups, "<?xml version=\"1.0\"?><comps/>").is_ok());
        for (kind, bad) in [
            (RpmExtra::Modules, "a: b"),
            (RpmExtra::Advisories, "<comps/>"),
            (RpmExtra::Groups, "<!DOCTYPE comps [<!ENTITY a \"b\">]><comps/>"),
        ] {
            assert!(read(kind, bad).is_err(), "{bad}");
        }
        assert_eq!((RpmExtra::of_file("comps.xml"), RpmExtra::of_file("x.xml")), (Some(RpmExtra::Groups), None));
    }
}
