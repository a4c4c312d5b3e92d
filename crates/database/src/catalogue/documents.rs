//! Readmes of packages, and release notes of packages and versions.

use model::{
    document::{Document, DocumentKind, SavedDocument, Syntax},
    id::{PackageId, VersionId},
};

use crate::{
    Error, Read, Result, Tx,
    engine::{
        row::row,
        statement::{insert, select, sql},
    },
};

/// The owner of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DocumentOwner {
    /// A document of the package with this id.
    Package(PackageId, DocumentKind),
    /// The release notes of the version with this id.
    Version(VersionId),
}

row! {
    struct DocumentRow { syntax: String, content: String, is_wrapped: bool }
}

impl TryFrom<DocumentRow> for SavedDocument {
    type Error = Error;

    fn try_from(row: DocumentRow) -> Result<Self> {
        let damaged = || Error::Broken(format!("`{}` is no syntax", row.syntax));
        let syntax = Syntax::parse(&row.syntax).ok_or_else(damaged)?;
        Ok(SavedDocument { document: Document { syntax, content: row.content }, is_wrapped: row.is_wrapped })
    }
}

/// Returns the document, if it exists.
pub async fn find(db: &dyn Read, place: DocumentOwner) -> Result<Option<Document>> {
    Ok(find_saved(db, place).await?.map(|saved| saved.document))
}

/// Returns the document and its form, if it exists.
pub async fn find_saved(db: &dyn Read, place: DocumentOwner) -> Result<Option<SavedDocument>> {
    let row: Option<DocumentRow> = match place {
        DocumentOwner::Package(id, kind) => {
            db.one(select!(
                DocumentRow,
                "FROM package_documents WHERE package_id = $1 AND kind = $2",
                id,
                kind.as_str(),
            ))
            .await?
        }
        DocumentOwner::Version(id) => {
            db.one(select!(DocumentRow, "FROM version_release_notes WHERE version_id = $1", id)).await?
        }
    };
    row.map(SavedDocument::try_from).transpose()
}

/// Sets the document, which has yet to be rendered.
pub async fn upsert(tx: &mut Tx, place: DocumentOwner, saved: &SavedDocument) -> Result<()> {
    let (syntax, content) = (saved.document.syntax.as_str(), &saved.document.content);
    let statement = match place {
        DocumentOwner::Package(id, kind) => insert!(
            package_documents { package_id: id, kind: kind.as_str(), syntax, content, is_wrapped: saved.is_wrapped },
            "ON CONFLICT (package_id, kind) DO UPDATE
             SET syntax = excluded.syntax, content = excluded.content, is_wrapped = excluded.is_wrapped,
                 html_edition = 0",
        ),
        DocumentOwner::Version(id) => insert!(
            version_release_notes { version_id: id, syntax, content, is_wrapped: saved.is_wrapped },
            "ON CONFLICT (version_id) DO UPDATE
             SET syntax = excluded.syntax, content = excluded.content, is_wrapped = excluded.is_wrapped,
                 html_edition = 0",
        ),
    };
    tx.run(statement).await?;
    Ok(())
}

/// Deletes the document; returns false if it does not exist.
pub async fn delete(tx: &mut Tx, place: DocumentOwner) -> Result<bool> {
    let statement = match place {
        DocumentOwner::Package(id, kind) => {
            sql!("DELETE FROM package_documents WHERE package_id = $1 AND kind = $2", id, kind.as_str()).long()
        }
        DocumentOwner::Version(id) => sql!("DELETE FROM version_release_notes WHERE version_id = $1", id).long(),
    };
    Ok(tx.run(statement).await? == 1)
}
