//! Commands about repositories, packages, versions and what describes them.

pub(crate) mod attributes;
pub(crate) mod delete;
pub(crate) mod document;
pub(crate) mod entitlements;
pub(crate) mod eula;
pub(crate) mod link;
pub(crate) mod ls;
pub(crate) mod package;
pub(crate) mod product;
pub(crate) mod repo;
pub(crate) mod restrictions;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod tag;
pub(crate) mod version;
