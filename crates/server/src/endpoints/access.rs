//! Teams, their permissions, and entitlements.

use api::*;

use crate::{
    access::*,
    endpoints::{Endpoints, delete, get, patch, post, put},
};

pub(super) fn teams(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/orgs/{org}/teams", "List the teams of an organization").answers::<TeamList>(200), list_teams)
        .add(post("/orgs/{org}/teams", "Create a team").takes::<NewTeam>().answers::<Team>(201), create_team)
        .add(get("/orgs/{org}/teams/{team}", "Show a team").answers::<Team>(200), show_team)
        .add(
            patch("/orgs/{org}/teams/{team}", "Change a team").takes::<TeamChange>().answers::<Message>(200),
            edit_team,
        )
        .add(delete("/orgs/{org}/teams/{team}", "Delete a team").answers::<Message>(200), delete_team)
        .add(
            get("/repos/{subject}/{repo}/permissions", "List the permissions of teams in a repository")
                .lists::<Permission>(200),
            list_permissions,
        )
        .add(
            put("/repos/{subject}/{repo}/permissions", "Set the permission of a team in a repository")
                .takes::<Permission>()
                .answers::<Message>(200),
            set_permission,
        )
        .add(
            get("/repos/{subject}/{repo}/permissions/{team}", "Show the permission of a team in a repository")
                .answers::<Permission>(200),
            show_permission,
        )
        .add(
            delete("/repos/{subject}/{repo}/permissions/{team}", "Remove the permission of a team in a repository")
                .answers::<Message>(200),
            delete_permission,
        )
}

/// The path of a list of entitlements, the path of one of them, and the summaries of the calls.
type Place = (&'static str, &'static str, [&'static str; 5]);

const PLACES: [Place; 4] = [
    (
        "/repos/{subject}/{repo}/entitlements",
        "/repos/{subject}/{repo}/entitlements/{entitlement}",
        [
            "List the entitlements of a repository",
            "Create an entitlement of a repository",
            "Show an entitlement of a repository",
            "Change an entitlement of a repository",
            "Delete an entitlement of a repository",
        ],
    ),
    (
        "/packages/{subject}/{repo}/{package}/entitlements",
        "/packages/{subject}/{repo}/{package}/entitlements/{entitlement}",
        [
            "List the entitlements of a package",
            "Create an entitlement of a package",
            "Show an entitlement of a package",
            "Change an entitlement of a package",
            "Delete an entitlement of a package",
        ],
    ),
    (
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements",
        "/packages/{subject}/{repo}/{package}/versions/{version}/entitlements/{entitlement}",
        [
            "List the entitlements of a version",
            "Create an entitlement of a version",
            "Show an entitlement of a version",
            "Change an entitlement of a version",
            "Delete an entitlement of a version",
        ],
    ),
    (
        "/products/{subject}/{product}/entitlements",
        "/products/{subject}/{product}/entitlements/{entitlement}",
        [
            "List the entitlements of a product",
            "Create an entitlement of a product",
            "Show an entitlement of a product",
            "Change an entitlement of a product",
            "Delete an entitlement of a product",
        ],
    ),
];

pub(super) fn entitlements(calls: Endpoints) -> Endpoints {
    PLACES.into_iter().fold(calls, at).add(
        get("/search/entitlements", "Search the entitlements that you manage")
            .query(&[
                ("access_key", "The name of an access key"),
                ("tag", "A tag"),
                ("scope", "The scope: `subject[/repo[/package[/version]]]`"),
                ("start_pos", "The position of the first result, from 0"),
            ])
            .lists::<FoundEntitlement>(200),
        search_entitlements,
    )
}

fn at(calls: Endpoints, (all, one, [list, create, show, change, remove]): Place) -> Endpoints {
    calls
        .add(
            get(all, list)
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<EntitlementSummary>(200),
            list_entitlements,
        )
        .add(post(all, create).takes::<NewEntitlement>().answers::<Entitlement>(201), create_entitlement)
        .add(get(one, show).answers::<Entitlement>(200), show_entitlement)
        .add(patch(one, change).takes::<EntitlementChange>().answers::<Entitlement>(200), edit_entitlement)
        .add(delete(one, remove).answers::<Message>(200), delete_entitlement)
}
