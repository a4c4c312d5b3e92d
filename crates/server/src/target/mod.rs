//! The target of a request: its host, its path and its parameters, before routing.

mod admission;
mod aliases;
mod surface;

pub(crate) use admission::{admit, check_host, host};
pub(crate) use aliases::{add_old_names, rename as rename_old_names, rename_keys};
pub(crate) use surface::HostNames;
