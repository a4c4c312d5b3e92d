//! Texts that were saved without HTML, or with that of another edition: rendered in the background, a few at a time.

use database::{
    ScopedFutureExt,
    catalogue::renderings::{self, Text},
};

use super::{EDITION, render};
use crate::{House, Result};

/// Texts of each kind that are looked for in one go.
const AT_ONCE: i64 = 16;

/// Renders some of the texts that lack HTML of this edition; says whether there were any. Several servers may do so at
/// the same time: what one has rendered, the next passes over, and HTML is kept for its own text only.
pub async fn catch_up(house: &House) -> Result<bool> {
    let mut due = renderings::list_due(&house.db, EDITION, AT_ONCE).await?;
    let found = house.renderer.take_found();
    let is_any = !due.is_empty() || !found.is_empty();
    if !due.is_empty() {
        // Servers that start together begin at different texts.
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

async fn render_again(house: &House, text: Text) -> Result<()> {
    let Some(document) = &renderings::find_text(&house.db, text).await? else { return Ok(()) };
    // While texts that are being saved keep the renderer busy, this one waits for the next time.
    let Some(made) = &render(house, document).await else { return Ok(()) };
    house.db.write(|tx| renderings::set(tx, text, document, made).scope_boxed()).await?;
    Ok(())
}
