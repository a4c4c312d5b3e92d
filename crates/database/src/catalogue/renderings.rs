//! Rendered texts for pages: HTML that was sanitised when the text was saved.

use model::{
    document::{Document, DocumentKind, Syntax},
    id::{PackageId, VersionId},
};

use crate::{
    Error, Read, Result, Tx,
    catalogue::documents::DocumentOwner,
    engine::{
        row::row,
        statement::{select, sql, update},
    },
};

/// A text that appears on a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RenderedText {
    /// A readme or release notes.
    Document(DocumentOwner),
    /// The EULA with this id.
    Eula(i64),
}

row! {
    /// The rendering of a text.
    pub struct Rendering {
        /// Safe HTML; none if the text is displayed as it is.
        html: Option<String>,
        /// The digest of the text and its syntax.
        sha256: Option<String> = "html_sha256",
        /// The edition of the renderer; 0 when the text has not been rendered.
        edition: i64 = "html_edition",
    }
}

/// Returns the rendering of a text, if the text exists.
pub async fn find(db: &dyn Read, text: RenderedText) -> Result<Option<Rendering>> {
    match text {
        RenderedText::Document(DocumentOwner::Package(id, kind)) => {
            db.one(select!(Rendering, "FROM package_documents WHERE package_id = $1 AND kind = $2", id, kind.as_str()))
                .await
        }
        RenderedText::Document(DocumentOwner::Version(id)) => {
            db.one(select!(Rendering, "FROM version_release_notes WHERE version_id = $1", id)).await
        }
        RenderedText::Eula(id) => db.one(select!(Rendering, "FROM eulas WHERE id = $1", id)).await,
    }
}

/// Stores the rendering of a text, unless the text has changed meanwhile.
pub async fn set(tx: &mut Tx, text: RenderedText, document: &Document, made: &Rendering) -> Result<()> {
    let (syntax, content) = (document.syntax.as_str(), &document.content);
    let (html, sha256, edition) = (made.html.as_deref(), made.sha256.as_deref(), made.edition);
    let statement = match text {
        RenderedText::Document(DocumentOwner::Package(id, kind)) => update!(
            package_documents { html, html_sha256: sha256, html_edition: edition },
            "WHERE package_id = $1 AND kind = $2 AND syntax = $3 AND content = $4",
            id,
            kind.as_str(),
            syntax,
            content,
        ),
        RenderedText::Document(DocumentOwner::Version(id)) => update!(
            version_release_notes { html, html_sha256: sha256, html_edition: edition },
            "WHERE version_id = $1 AND syntax = $2 AND content = $3",
            id,
            syntax,
            content,
        ),
        RenderedText::Eula(id) => update!(
            eulas { html, html_sha256: sha256, html_edition: edition },
            "WHERE id = $1 AND syntax = $2 AND content = $3",
            id,
            syntax,
            content,
        ),
    };
    tx.run(statement).await?;
    Ok(())
}

/// Returns some texts that this edition of the renderer has not rendered.
pub async fn list_due(db: &dyn Read, edition: i64, limit: i64) -> Result<Vec<RenderedText>> {
    let packages: Vec<(PackageId, String)> = db
        .all(sql!(
            "SELECT package_id, kind FROM package_documents
             WHERE html_edition < $1
             ORDER BY html_edition, package_id, kind
             LIMIT $2",
            edition,
            limit,
        ))
        .await?;
    let versions: Vec<VersionId> = db
        .all(sql!(
            "SELECT version_id FROM version_release_notes
             WHERE html_edition < $1
             ORDER BY html_edition, version_id
             LIMIT $2",
            edition,
            limit,
        ))
        .await?;
    let eulas: Vec<i64> = db
        .all(sql!("SELECT id FROM eulas WHERE html_edition < $1 ORDER BY html_edition, id LIMIT $2", edition, limit,))
        .await?;
    let of_package = |(id, kind): (PackageId, String)| DocumentOwner::Package(id, DocumentKind::parse(&kind));
    let documents = packages.into_iter().map(of_package).chain(versions.into_iter().map(DocumentOwner::Version));
    Ok(documents.map(RenderedText::Document).chain(eulas.into_iter().map(RenderedText::Eula)).collect())
}

row! {
    struct TextRow { syntax: String, content: String }
}

/// Returns the text itself, if it exists.
pub async fn find_text(db: &dyn Read, text: RenderedText) -> Result<Option<Document>> {
    let id = match text {
        RenderedText::Document(place) => return crate::catalogue::documents::find(db, place).await,
        RenderedText::Eula(id) => id,
    };
    let row: Option<TextRow> = db.one(select!(TextRow, "FROM eulas WHERE id = $1", id)).await?;
    let Some(TextRow { syntax, content }) = row else { return Ok(None) };
    let damaged = || Error::Broken(format!("EULA {id} has a damaged row"));
    Ok(Some(Document { syntax: Syntax::parse(&syntax).ok_or_else(damaged)?, content }))
}
