//! pip, twine, uv and poetry.

pub(crate) mod fixture;
mod trusted;
mod usual;

#[cfg(feature = "clients")]
mod access;
#[cfg(feature = "clients")]
mod damage;
#[cfg(feature = "clients")]
mod others;
#[cfg(feature = "clients")]
mod releases;
