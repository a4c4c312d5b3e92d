//! Conan.

mod fixture;
mod usual;

#[cfg(feature = "clients")]
mod access;
mod damage;
#[cfg(feature = "clients")]
mod releases;
