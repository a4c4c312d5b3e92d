//! Real clients against the server: tests cannot invent what they send, or how they read responses.

mod access_keys;
mod apt;
mod apt_file;
mod conda;
mod dnf;
mod dput;
mod folders;
mod helm;
mod images;
mod images_helm;
mod mail;
mod maven;
mod mvn;
mod pacman;
mod r;
mod signing;
mod zypper;
