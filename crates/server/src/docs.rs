//! The description of the API, for programs and for people, generated from the endpoint table.

mod examples;
mod headers;
mod ids;
mod manual;
mod openapi;
mod page;
mod refine;
mod shape;

pub(crate) use openapi::openapi;
pub(crate) use page::{page, to_page};
