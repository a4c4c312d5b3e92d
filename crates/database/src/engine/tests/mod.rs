//! Tests of both engines.

#[cfg(test)]
pub(crate) mod engine;
#[cfg(test)]
pub(crate) mod epochs;
#[cfg(test)]
pub(crate) mod group;
