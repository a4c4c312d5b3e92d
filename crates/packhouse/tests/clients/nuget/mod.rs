//! NuGet: dotnet.

mod access;
mod damage;
mod fixture;
mod releases;
mod usual;

pub(crate) use fixture::{dotnet, machine};
