//! Repositories, packages and versions.

mod attribute_search;
mod attributes;
mod documents;
mod links;
mod package_list;
mod packages;
mod ratings;
mod repos;
mod tags;
mod versions;

pub(crate) use attribute_search::{search_packages_by_attributes, search_versions_by_attributes};
pub(crate) use attributes::{delete_attributes, edit_attributes, list_attributes, replace_attributes};
pub(crate) use documents::{
    delete_package_notes, delete_readme, delete_version_notes, set_package_notes, set_readme, set_version_notes,
    show_package_notes, show_readme, show_version_notes,
};
pub(crate) use links::{link_package, unlink_package};
pub(crate) use package_list::list_packages;
pub(crate) use packages::{
    create_package, delete_package, edit_package, show_package, view as package_view,
    view_as_asked as package_view_as_asked,
};
pub(crate) use ratings::{follow_package, rate_package, unfollow_package};
pub(crate) use repos::{create_repo, delete_repo, edit_repo, list_repos, show_repo, view as repo_view};
pub(crate) use tags::{delete_tag, set_tag};
pub(crate) use versions::{
    create_version, delete_version, edit_version, show_version, view_as_asked as version_view_as_asked,
};
