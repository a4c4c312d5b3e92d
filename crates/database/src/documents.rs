//! Readmes of packages, and release notes of packages and versions.

use model::document::{Document, Syntax};

use crate::{Error, Read, Result, Tx, row::row, statement::sql};

/// What a package's text is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// What the package is.
    Readme,
    /// What is new.
    ReleaseNotes,
}

impl Kind {
    fn as_str(self) -> &'static str {
        match self {
            Kind::Readme => "readme",
            Kind::ReleaseNotes => "release_notes",
        }
    }
}

/// Where a text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A text of a package, by its key.
    Package(i64, Kind),
    /// The release notes of a version, by its key.
    Version(i64),
}

row! {
    struct DocumentRow { syntax: String, content: String }
}

impl TryFrom<DocumentRow> for Document {
    type Error = Error;

    fn try_from(row: DocumentRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("`{}` is no syntax", row.syntax));
        Ok(Document { syntax: Syntax::parse(&row.syntax).ok_or_else(damaged)?, content: row.content })
    }
}

/// The text, if there is one.
pub async fn find(db: &impl Read, place: Place) -> Result<Option<Document>> {
    let row: Option<DocumentRow> = match place {
        Place::Package(id, kind) => {
            db.one(sql!(
                "SELECT syntax, content FROM package_documents WHERE package_id = $1 AND kind = $2",
                id,
                kind.as_str(),
            ))
            .await?
        }
        Place::Version(id) => {
            db.one(sql!("SELECT syntax, content FROM version_release_notes WHERE version_id = $1", id)).await?
        }
    };
    row.map(Document::try_from).transpose()
}

/// Sets the text.
pub async fn upsert(tx: &mut Tx, place: Place, document: &Document) -> Result<()> {
    let (syntax, content) = (document.syntax.as_str(), &document.content);
    let statement = match place {
        Place::Package(id, kind) => sql!(
            "INSERT INTO package_documents (package_id, kind, syntax, content)
             VALUES ($1, $2, $3, $4)
             ON CONFLICT (package_id, kind) DO UPDATE SET syntax = excluded.syntax, content = excluded.content",
            id,
            kind.as_str(),
            syntax,
            content,
        ),
        Place::Version(id) => sql!(
            "INSERT INTO version_release_notes (version_id, syntax, content)
             VALUES ($1, $2, $3)
             ON CONFLICT (version_id) DO UPDATE SET syntax = excluded.syntax, content = excluded.content",
            id,
            syntax,
            content,
        ),
    };
    tx.run(statement).await?;
    Ok(())
}

/// Removes the text; false when there is none.
pub async fn delete(tx: &mut Tx, place: Place) -> Result<bool> {
    let statement = match place {
        Place::Package(id, kind) => {
            sql!("DELETE FROM package_documents WHERE package_id = $1 AND kind = $2", id, kind.as_str())
        }
        Place::Version(id) => sql!("DELETE FROM version_release_notes WHERE version_id = $1", id),
    };
    Ok(tx.run(statement).await? == 1)
}
