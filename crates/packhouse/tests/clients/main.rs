//! Real package managers publish to a real server and install from it. `cargo xtask test` runs what each client must be
//! able to do; `cargo xtask test-clients` also runs the rest, on both stacks.

mod cargo;
mod client;
mod composer;
mod conan;
mod docker;
mod go;
mod matrix;
mod npm;
mod openapi;
mod pages;
mod pypi;
mod rubygems;
mod scene;
mod tls_front;
mod vagrant;
mod zip;

#[cfg(feature = "clients")]
mod nuget;
#[cfg(feature = "clients")]
mod oracles;
#[cfg(feature = "clients")]
mod tampering;
