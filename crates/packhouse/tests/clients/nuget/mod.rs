//! NuGet: dotnet.

mod access;
mod damage;
pub(crate) mod fixture;
mod releases;
mod usual;

pub(crate) use fixture::{dotnet, machine};
