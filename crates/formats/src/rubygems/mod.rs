//! RubyGems: names, versions, specifications, the compact index and the Marshal indexes.

pub mod compact;
pub mod format;
pub mod inspect;
pub mod layout;
pub mod name;
pub mod native;
pub mod quick;
pub mod requirement;
pub mod specification;
pub mod specs;
pub mod version;

mod commands;
mod derived;
mod form;
mod indexes;
mod log;
mod publish;
mod repo_indexes;
mod routes;

#[cfg(test)]
mod samples;

pub use self::{
    format::Rubygems, name::GemName, requirement::GemRequirement, specification::GemSpecification, version::GemVersion,
};
