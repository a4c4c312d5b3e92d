//! Databases for tests.

#[cfg(any(test, feature = "bulk"))]
pub mod bulk;
#[cfg(test)]
pub(crate) mod plan_tests;
#[cfg(any(test, feature = "testing"))]
pub mod scratch;
#[cfg(test)]
pub(crate) mod statement_source;
