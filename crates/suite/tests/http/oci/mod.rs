//! Container images below `/v2`, as the distribution specification and its clients have them.

mod bad_inputs;
mod counting;
mod deletes;
mod lists;
mod manifests;
mod rights;
mod sweeping;
mod tokens;
mod tools;
mod uploads;
