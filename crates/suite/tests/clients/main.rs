//! Real clients against the server: what they send, and what they make of the answers, is not ours to imagine.

mod access_keys;
mod maven;
mod mvn;
mod signing;
