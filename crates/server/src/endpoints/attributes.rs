//! Attributes of packages and versions, and the search by them.

use api::*;

use crate::{
    catalogue::*,
    endpoints::{Endpoints, delete, get, patch, post},
};

pub(super) fn attributes(calls: Endpoints) -> Endpoints {
    attribute_search(version_attributes(package_attributes(calls)))
}

fn package_attributes(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/attributes", "List the attributes of a package")
                .query(NAMES)
                .lists::<Attribute>(200)
                .cached(),
            list_attributes,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/attributes", "Replace the attributes of a package")
                .takes_list::<NewAttribute>()
                .lists::<Attribute>(200),
            replace_attributes,
        )
        .add(
            patch("/packages/{subject}/{repo}/{package}/attributes", "Change some attributes of a package")
                .takes_list::<NewAttribute>()
                .lists::<Attribute>(200),
            edit_attributes,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/attributes", "Delete the attributes of a package")
                .query(NAMES)
                .answers::<Message>(200),
            delete_attributes,
        )
}

fn version_attributes(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get(
                "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
                "List the attributes of a version",
            )
            .query(NAMES)
            .lists::<Attribute>(200)
            .cached(),
            list_attributes,
        )
        .add(
            post(
                "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
                "Replace the attributes of a version",
            )
            .takes_list::<NewAttribute>()
            .lists::<Attribute>(200),
            replace_attributes,
        )
        .add(
            patch(
                "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
                "Change some attributes of a version",
            )
            .takes_list::<NewAttribute>()
            .lists::<Attribute>(200),
            edit_attributes,
        )
        .add(
            delete(
                "/packages/{subject}/{repo}/{package}/versions/{version}/attributes",
                "Delete the attributes of a version",
            )
            .query(NAMES)
            .answers::<Message>(200),
            delete_attributes,
        )
}

fn attribute_search(calls: Endpoints) -> Endpoints {
    calls
        .add(
            post("/search/attributes/{subject}/{repo}", "Find packages by their attributes")
                .takes_list::<AttributeClause>()
                .query(ATTRIBUTE_SEARCH)
                .lists::<Package>(200),
            search_packages_by_attributes,
        )
        .add(
            post("/search/attributes/{subject}/{repo}/{package}/versions", "Find versions by their attributes")
                .takes_list::<AttributeClause>()
                .query(ATTRIBUTE_SEARCH)
                .lists::<Version>(200),
            search_versions_by_attributes,
        )
}

const NAMES: &[(&str, &str)] = &[("names", "The names of attributes, separated by commas; without it, all")];

const ATTRIBUTE_SEARCH: &[(&str, &str)] = &[
    ("attribute_values", "1 shows the values of attributes"),
    ("start_pos", "The position of the first result, from 0"),
];
