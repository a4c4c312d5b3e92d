//! Databases for tests.

#[cfg(any(test, feature = "bulk"))]
pub mod bulk;
#[cfg(test)]
pub(crate) mod plan_tests;
#[cfg(any(test, feature = "testing"))]
pub mod scratch;
#[cfg(any(test, feature = "bulk"))]
pub(crate) mod secondary_indexes;
#[cfg(test)]
pub(crate) mod statement_source;
#[cfg(any(test, feature = "testing"))]
pub(crate) mod template;

/// Runs text with several statements, for tests and benchmarks that need many rows.
#[cfg(any(test, feature = "testing", feature = "bulk"))]
pub async fn run_batch(db: &crate::Database, text: &str) -> crate::Result<()> {
    use crate::ScopedFutureExt;
    db.write(|tx| async move { tx.batch(text).await }.scope_boxed()).await
}
