//! Renders readmes, release notes and agreements as safe HTML. A text is rendered once, when it is saved, and its HTML
//! is stored with it; a page that shows it renders nothing.

mod catch_up;
mod decorate;
mod highlight;
pub mod images;
mod markdown;
mod nesting;
mod tidy;
mod tokens;

#[cfg(test)]
mod shapes;

pub use catch_up::catch_up;

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use database::catalogue::renderings::{self, RenderedText, Rendering};
use model::{
    digest::hex,
    document::{Document, Syntax},
};
use sha2::{Digest, Sha256};
use tokio::sync::Semaphore;

use crate::{House, Result};

/// The edition of this renderer. Increase it with every change to the output; then all texts are rendered again.
pub const EDITION: i64 = 4;

/// The number of texts rendered at the same time.
const AT_ONCE: usize = 2;

/// How long a text being saved waits for the renderer. After that it is rendered in the background.
const WAIT: Duration = Duration::from_secs(1);

/// The maximum number of texts that pages have found outdated and that wait to be rendered again.
const REMEMBERED: usize = 1000;

/// Renders texts on separate threads, a few at a time.
#[derive(Debug)]
pub(crate) struct Renderer {
    room: Arc<Semaphore>,
    found: Mutex<BTreeSet<RenderedText>>,
}

impl Default for Renderer {
    fn default() -> Self {
        Self { room: Arc::new(Semaphore::new(AT_ONCE)), found: Mutex::default() }
    }
}

/// Sanitized HTML. Templates write it unescaped.
#[derive(Debug, Clone)]
pub struct Html(String);

impl fmt::Display for Html {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Renders a text, before the transaction that saves it. `None` if the renderer is busy with others.
pub(crate) async fn render(house: &House, document: &Document) -> Option<Rendering> {
    let turn = tokio::time::timeout(WAIT, house.renderer.room.clone().acquire_owned());
    let permit = turn.await.ok()?.ok()?;
    let content = match document.syntax {
        Syntax::Markdown => document.content.clone(),
        Syntax::Asciidoc | Syntax::PlainText => String::new(),
    };
    // The permit belongs to the work: the request that saves the text may end before it.
    let work = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        markdown::render(&content)
    });
    let html = work.await.unwrap_or_else(|error| {
        tracing::error!("rendering a text failed: {error}");
        None
    });
    let html = html.filter(|_| document.syntax == Syntax::Markdown);
    Some(Rendering { html, sha256: Some(digest(document)), edition: EDITION })
}

/// Renders a text that is not saved yet, for the page of its form. It is plain while the renderer is busy with others.
#[boxed::future]
pub async fn preview(house: &House, document: &Document) -> Html {
    let made = render(house, document).await.and_then(|made| made.html);
    made.map_or_else(|| plain(&document.content), |html| Html(images::shown(house, html)))
}

/// Returns a text as pages show it: its stored HTML, or otherwise the plain text.
pub(crate) async fn show(house: &House, text: RenderedText, document: &Document) -> Result<Html> {
    let kept = renderings::find(&house.db, text).await?;
    let Some(kept) = kept.filter(|kept| kept.edition == EDITION) else { return Ok(plain(&document.content)) };
    if kept.sha256.as_deref() != Some(digest(document).as_str()) {
        // The text was saved by a node with an older release, which does not store HTML.
        house.renderer.remember(text);
        return Ok(plain(&document.content));
    }
    Ok(kept.html.map_or_else(|| plain(&document.content), |html| Html(images::shown(house, html))))
}

impl Renderer {
    fn remember(&self, text: RenderedText) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        if found.len() < REMEMBERED {
            found.insert(text);
        }
    }

    /// Takes the texts that pages have found outdated.
    fn take_found(&self) -> BTreeSet<RenderedText> {
        std::mem::take(&mut *self.found.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn plain(text: &str) -> Html {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    Html(format!("<pre class=\"plain\">\n{escaped}</pre>"))
}

fn digest(document: &Document) -> String {
    let digest = Sha256::new().chain_update(document.syntax.as_str()).chain_update("\n");
    hex(&digest.chain_update(&document.content).finalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_texts_are_shown_as_they_are() {
        let shown = plain("= Cat\n<b>& more</b>").to_string();
        assert_eq!(shown, "<pre class=\"plain\">\n= Cat\n&lt;b&gt;&amp; more&lt;/b&gt;</pre>");
    }

    #[test]
    fn the_digest_is_of_the_text_and_its_syntax() {
        let of = |syntax, content: &str| digest(&Document { syntax, content: content.to_owned() });
        assert_eq!(of(Syntax::Markdown, "a"), of(Syntax::Markdown, "a"));
        assert_ne!(of(Syntax::Markdown, "a"), of(Syntax::PlainText, "a"));
        assert_ne!(of(Syntax::Markdown, "a"), of(Syntax::Markdown, "b"));
    }

    #[test]
    fn a_renderer_remembers_so_many_texts_and_no_more() {
        let renderer = Renderer::default();
        (0..2000).for_each(|id| renderer.remember(RenderedText::Eula(id)));
        assert_eq!(renderer.take_found().len(), REMEMBERED);
        assert!(renderer.take_found().is_empty());
    }
}
