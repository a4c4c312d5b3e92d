//! Vagrant.

pub(crate) mod fixture;
mod usual;

#[cfg(feature = "clients")]
mod access;
#[cfg(feature = "clients")]
mod damage;
#[cfg(feature = "clients")]
mod releases;
