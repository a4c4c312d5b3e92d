//! Installs the packages of a release in clean roots, and starts them. `cargo xtask test-dist` runs these tests as root.

mod checksums;
mod deb;
mod hosting;
mod image;
mod root;
mod rpm;
mod server;
mod tarball;
