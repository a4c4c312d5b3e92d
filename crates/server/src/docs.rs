//! The description of the API, for programs and for people, generated from the endpoint table.

mod openapi;
mod page;
mod shape;

pub(crate) use openapi::openapi;
pub(crate) use page::page;
