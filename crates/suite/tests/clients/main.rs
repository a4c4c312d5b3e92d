//! Real clients against the server: what they send, and what they make of the answers, is not ours to imagine.

mod maven;
mod mvn;
