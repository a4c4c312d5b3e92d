//! The API's description, for programs and for people, both from the endpoint table.

mod openapi;
mod page;
mod shape;

pub(crate) use openapi::openapi;
pub(crate) use page::page;
