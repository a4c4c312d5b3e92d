//! Container images below `/v2`, as the distribution specification and its clients have them.

mod abandoned;
mod bad_inputs;
mod checksums;
mod conformance;
mod counting;
mod deletes;
mod images_page;
mod lists;
mod manifests;
mod nesting;
mod races;
mod rights;
mod rules;
mod staged;
mod sweeping;
mod tokens;
mod tools;
mod untagged;
mod uploads;
