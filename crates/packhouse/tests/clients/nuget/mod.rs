//! NuGet: dotnet.

mod access;
mod fixture;
mod releases;
mod usual;

pub(crate) use fixture::{dotnet, machine};
