//! Renders texts that were saved without HTML, or with HTML of another edition: in the background, a few at a time.

use database::{
    ScopedFutureExt,
    catalogue::renderings::{self, RenderedText},
};

use super::{EDITION, render};
use crate::{House, Result};

/// The number of texts of each kind that are looked for in one run.
const AT_ONCE: i64 = 16;

/// Renders some of the texts that lack HTML of this edition; returns whether any did. Several nodes may do so at the
/// same time: each skips texts that another has rendered, and HTML is stored only if its text is unchanged.
#[boxed::future]
pub async fn catch_up(house: &House) -> Result<bool> {
    let mut due = renderings::list_due(&house.db, EDITION, AT_ONCE).await?;
    let found = house.renderer.take_found();
    let is_any = !due.is_empty() || !found.is_empty();
    if !due.is_empty() {
        // Nodes that start together begin with different texts.
        let turn = usize::try_from(house.next_id().unsigned_abs()).unwrap_or_default() % due.len();
        due.rotate_left(turn);
    }
    for text in due {
        let kept = renderings::find(&house.db, text).await?;
        if kept.is_some_and(|kept| kept.edition < EDITION) {
            render_again(house, text).await?;
        }
    }
    for text in found {
        render_again(house, text).await?;
    }
    Ok(is_any)
}

async fn render_again(house: &House, text: RenderedText) -> Result<()> {
    let Some(document) = &renderings::find_text(&house.db, text).await? else { return Ok(()) };
    // While texts being saved keep the renderer busy, this one waits for the next run.
    let Some(made) = &render(house, document).await else { return Ok(()) };
    house.db.write(|tx| renderings::set(tx, text, document, made).scope_boxed()).await?;
    Ok(())
}
