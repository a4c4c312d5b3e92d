//! Indexes the names of files for searches. PostgreSQL's index includes each name with its row; SQLite's is updated in
//! batches, a moment later and before a search.

use scoped_futures::ScopedFutureExt;

use crate::{Database, Result, Tx, engine::statement::Statement};

/// The number of names indexed in one transaction, for which uploads wait.
const AT_ONCE: i64 = 100;

/// Indexes the names of all files in an SQLite database whose index is empty.
pub(crate) const LEARN_ALL: &str = "INSERT INTO files_search (rowid, name) SELECT id, folded_name FROM files";

/// Records that the name of a new file has to be indexed.
pub(crate) async fn record_new(tx: &mut Tx, id: i64) -> Result<()> {
    if tx.is_on_sqlite() {
        tx.run(Statement::new("INSERT INTO unlearned_files (id) VALUES ($1)", vec![id.into()])).await?;
    }
    Ok(())
}

/// Indexes all names that were recorded before this call.
pub async fn index_new(db: &Database) -> Result<()> {
    if db.per_engine(false, true) {
        return Ok(());
    }
    let newest = Statement::new("SELECT id FROM unlearned_files ORDER BY id DESC LIMIT 1", Vec::new());
    let Some(newest) = db.one::<i64>(newest.looking_up()).await? else { return Ok(()) };
    while db.write(|tx| learn_some(tx, newest).scope_boxed()).await? {}
    Ok(())
}

/// Indexes some of the names up to a file, and returns whether more may be left.
async fn learn_some(tx: &mut Tx, newest: i64) -> Result<bool> {
    let some = format!("(SELECT id FROM unlearned_files WHERE id <= $1 ORDER BY id LIMIT {AT_ONCE})");
    let learn = format!("INSERT INTO files_search (rowid, name) SELECT id, folded_name FROM files WHERE id IN {some}");
    let forget = format!("DELETE FROM unlearned_files WHERE id IN {some}");
    // These take some milliseconds.
    tx.run(Statement::new(learn, vec![newest.into()]).long()).await?;
    let learned = tx.run(Statement::new(forget, vec![newest.into()]).long()).await?;
    Ok(learned.cast_signed() == AT_ONCE)
}
