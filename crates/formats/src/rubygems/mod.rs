//! RubyGems: names, versions, specifications, the compact index and the Marshal indexes.

pub mod compact;
pub mod inspect;
pub mod name;
pub mod native;
pub mod quick;
pub mod requirement;
pub mod specification;
pub mod specs;
pub mod version;

pub use self::{name::GemName, requirement::GemRequirement, specification::GemSpecification, version::GemVersion};
