//! Requests of package managers below a repository's download URL: the format tells what they mean, and this module
//! reads their bodies and writes the answers in the form that the client expects.

mod box_names;
mod cut;
mod dialect;
mod handler;
mod matcher;
mod repo_token;
mod respond;
mod sign_in;
mod take;
mod upload_token;

pub(crate) use handler::handle;
