//! Readmes and release notes.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Message;

/// A text and how it is marked up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Document {
    /// `markdown`, `asciidoc` or `plain_text`, in any case.
    pub syntax: String,
    /// The text.
    pub content: String,
}

/// A text in a request: its two fields, or both in an object `bintray`, as the first clients of this API send it.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(try_from = "Fields")]
pub struct SentDocument {
    /// The text.
    #[serde(flatten)]
    pub document: Document,
    /// Whether it was sent in the first form.
    #[serde(skip)]
    pub is_wrapped: bool,
}

#[derive(Deserialize)]
struct Fields {
    syntax: Option<String>,
    content: Option<String>,
    bintray: Option<Document>,
}

impl TryFrom<Fields> for SentDocument {
    type Error = &'static str;

    fn try_from(fields: Fields) -> Result<Self, Self::Error> {
        let Fields { syntax, content, bintray } = fields;
        let Some(document) = bintray else {
            let syntax = syntax.ok_or("missing field `syntax`")?;
            let content = content.ok_or("missing field `content`")?;
            return Ok(Self { document: Document { syntax, content }, is_wrapped: false });
        };
        let is_same = syntax.is_none_or(|syntax| syntax == document.syntax)
            && content.is_none_or(|content| content == document.content);
        if is_same {
            Ok(Self { document, is_wrapped: true })
        } else {
            Err("bintray: it differs from `syntax` and `content` beside it")
        }
    }
}

/// A text in a response. If it was sent in the first form, it has both.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ShownDocument {
    /// The text.
    #[serde(flatten)]
    pub document: Document,
    /// The same in its first form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bintray: Option<Document>,
}

/// The response after a text was set. If it was sent in the first form, the response repeats the text in that form.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SetDocument {
    /// What happened.
    #[serde(flatten)]
    pub message: Message,
    /// The text in its first form.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bintray: Option<Document>,
}
