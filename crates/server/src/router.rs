//! Every call, in the order of the contract.

use api::*;
use axum::{Router, http::StatusCode, routing};

use crate::{
    App,
    accounts::*,
    audit,
    catalogue::*,
    docs,
    endpoints::{Endpoint, Endpoints, delete, get, patch, post, put},
    error::Failure,
    health, search,
};

/// The calls of the API, as data.
pub fn endpoints() -> Vec<Endpoint> {
    api().list
}

fn api() -> Endpoints {
    Endpoints::new()
        .section("Repositories", repositories)
        .section("Packages", packages)
        .section("Versions", versions)
        .section("Attributes", |calls| attribute_search(version_attributes(package_attributes(calls))))
        .section("Readme and release notes", documents)
        .section("Users", users)
        .section("Organizations", organizations)
        .section("Followers and ratings", followers_and_ratings)
        .section("Licenses", licenses)
        .section("Administration", administration)
}

fn repositories(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}", "List the repositories that a subject may write to").lists::<RepoSummary>(200),
            list_repos,
        )
        .add(get("/repos/{subject}/{repo}", "Show a repository").answers::<Repo>(200), show_repo)
        .add(
            post("/repos/{subject}/{repo}", "Create a repository").takes::<NewRepo>().answers::<Repo>(201),
            create_repo,
        )
        .add(
            patch("/repos/{subject}/{repo}", "Change a repository").takes::<RepoChange>().answers::<Message>(200),
            edit_repo,
        )
        .add(delete("/repos/{subject}/{repo}", "Delete a repository").answers::<Message>(200), delete_repo)
        .add(
            get("/search/repos", "Search repositories")
                .query(&[
                    ("name", "A part of the name"),
                    ("desc", "A part of the description"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<Repo>(200),
            search::search_repos,
        )
        .add(
            put(
                "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}",
                "Show a package of another repository in this one",
            )
            .takes::<NewLink>()
            .answers::<Message>(201),
            link_package,
        )
        .add(
            delete(
                "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}",
                "Stop showing a package of another repository",
            )
            .answers::<Message>(200),
            unlink_package,
        )
}

fn packages(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}/{repo}/packages", "List the packages of a repository")
                .query(&[
                    ("start_pos", "The position of the first result, from 0"),
                    ("start_name", "What the names begin with"),
                ])
                .lists::<PackageSummary>(200),
            list_packages,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}", "Show a package").query(WITH_VALUES).answers::<Package>(200),
            show_package,
        )
        .add(
            post("/packages/{subject}/{repo}", "Create a package").takes::<NewPackage>().answers::<Package>(201),
            create_package,
        )
        .add(
            patch("/packages/{subject}/{repo}/{package}", "Change a package")
                .takes::<PackageChange>()
                .answers::<Message>(200),
            edit_package,
        )
        .add(delete("/packages/{subject}/{repo}/{package}", "Delete a package").answers::<Message>(200), delete_package)
        .add(
            get("/search/packages", "Search packages")
                .query(&[
                    ("name", "A part of the name"),
                    ("desc", "A part of the description"),
                    ("subject", "The owner of the repositories to search"),
                    ("repo", "The name of the repositories to search"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<Package>(200),
            search::search_packages,
        )
}

fn versions(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get(
                "/packages/{subject}/{repo}/{package}/versions/{version}",
                "Show a version, or the newest as `_latest`",
            )
            .query(WITH_VALUES)
            .answers::<Version>(200),
            show_version,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/versions", "Create a version")
                .takes::<NewVersion>()
                .answers::<Version>(201),
            create_version,
        )
        .add(
            patch("/packages/{subject}/{repo}/{package}/versions/{version}", "Change a version")
                .takes::<VersionChange>()
                .answers::<Message>(200),
            edit_version,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/versions/{version}", "Delete a version")
                .answers::<Message>(200),
            delete_version,
        )
}

fn package_attributes(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/attributes", "List the attributes of a package")
                .query(NAMES)
                .lists::<Attribute>(200),
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
            .lists::<Attribute>(200),
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

fn documents(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/readme", "Show the readme of a package").answers::<Document>(200),
            show_readme,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/readme", "Set the readme of a package")
                .takes::<Document>()
                .answers::<Message>(200),
            set_readme,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/readme", "Delete the readme of a package")
                .answers::<Message>(200),
            delete_readme,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}/release_notes", "Show the release notes of a package")
                .answers::<Document>(200),
            show_package_notes,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/release_notes", "Set the release notes of a package")
                .takes::<Document>()
                .answers::<Message>(200),
            set_package_notes,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/release_notes", "Delete the release notes of a package")
                .answers::<Message>(200),
            delete_package_notes,
        )
        .add(
            get(
                "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
                "Show the release notes of a version",
            )
            .answers::<Document>(200),
            show_version_notes,
        )
        .add(
            post(
                "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
                "Set the release notes of a version",
            )
            .takes::<Document>()
            .answers::<Message>(200),
            set_version_notes,
        )
        .add(
            delete(
                "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
                "Delete the release notes of a version",
            )
            .answers::<Message>(200),
            delete_version_notes,
        )
}

fn users(calls: Endpoints) -> Endpoints {
    calls
        .add(post("/users", "Create a user").takes::<NewUser>().answers::<CreatedUser>(201), create_user)
        .add(get("/users/{user}", "Show a user").answers::<User>(200), show_user)
        .add(
            get("/search/users", "Search users")
                .query(&[("name", "A part of the name"), ("start_pos", "The position of the first result, from 0")])
                .lists::<User>(200),
            search::search_users,
        )
        .add(patch("/users/{user}", "Change a user").takes::<UserChange>().answers::<Message>(200), edit_user)
        .add(delete("/users/{user}", "Delete a user").answers::<Message>(200), delete_user)
        .add(post("/users/{user}/api_key", "Replace a user's API key").answers::<ApiKey>(201), rotate_key)
}

fn organizations(calls: Endpoints) -> Endpoints {
    calls
        .add(post("/orgs", "Create an organization").takes::<NewOrg>().answers::<Org>(201), create_org)
        .add(get("/orgs/{org}", "Show an organization").answers::<Org>(200), show_org)
        .add(patch("/orgs/{org}", "Change an organization").takes::<OrgChange>().answers::<Message>(200), edit_org)
        .add(delete("/orgs/{org}", "Delete an organization").answers::<Message>(200), delete_org)
        .add(
            put("/orgs/{org}/members/{user}", "Add or change a member").takes::<NewMember>().answers::<Message>(200),
            set_member,
        )
        .add(delete("/orgs/{org}/members/{user}", "Remove a member").answers::<Message>(200), remove_member)
}

fn followers_and_ratings(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/users/{user}/followers", "List who follows a user or an organization")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<Follower>(200),
            list_followers,
        )
        .add(put("/users/{user}/follow", "Follow a user or an organization").answers::<Message>(200), follow_user)
        .add(delete("/users/{user}/follow", "Stop following").answers::<Message>(200), unfollow_user)
        .add(
            put("/packages/{subject}/{repo}/{package}/follow", "Follow a package").answers::<Message>(200),
            follow_package,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/follow", "Stop following a package").answers::<Message>(200),
            unfollow_package,
        )
        .add(
            put("/packages/{subject}/{repo}/{package}/rating", "Rate a package")
                .takes::<NewRating>()
                .answers::<Message>(200),
            rate_package,
        )
}

fn licenses(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/licenses/oss_licenses", "List the licenses that packages choose from").lists::<OssLicense>(200),
            list_oss_licenses,
        )
        .add(get("/users/{user}/licenses", "List a user's own licenses").lists::<CustomLicense>(200), list_licenses)
        .add(
            post("/users/{user}/licenses", "Create a license of a user")
                .takes::<NewCustomLicense>()
                .answers::<CustomLicense>(201),
            create_license,
        )
        .add(
            patch("/users/{user}/licenses/{license}", "Change a license of a user")
                .takes::<CustomLicenseChange>()
                .answers::<Message>(200),
            edit_license,
        )
        .add(
            delete("/users/{user}/licenses/{license}", "Delete a license of a user").answers::<Message>(200),
            delete_license,
        )
        .add(
            get("/orgs/{org}/licenses", "List an organization's own licenses").lists::<CustomLicense>(200),
            list_licenses,
        )
        .add(
            post("/orgs/{org}/licenses", "Create a license of an organization")
                .takes::<NewCustomLicense>()
                .answers::<CustomLicense>(201),
            create_license,
        )
        .add(
            patch("/orgs/{org}/licenses/{license}", "Change a license of an organization")
                .takes::<CustomLicenseChange>()
                .answers::<Message>(200),
            edit_license,
        )
        .add(
            delete("/orgs/{org}/licenses/{license}", "Delete a license of an organization").answers::<Message>(200),
            delete_license,
        )
}

fn administration(calls: Endpoints) -> Endpoints {
    calls
        .add(
            put("/subjects/{subject}/plan", "Set the plan of a subject").takes::<NewPlan>().answers::<Message>(200),
            set_plan,
        )
        .add(
            get("/audit", "List what was done, newest first")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<AuditEntry>(200),
            audit::list_audit,
        )
}

const NAMES: &[(&str, &str)] = &[("names", "The names of attributes, separated by commas; nothing means all")];

const WITH_VALUES: &[(&str, &str)] = &[("attribute_values", "1 shows the values of attributes")];

const ATTRIBUTE_SEARCH: &[(&str, &str)] = &[
    ("attribute_values", "1 shows the values of attributes"),
    ("start_pos", "The position of the first result, from 0"),
];

/// The router behind the edge. It sees canonical paths only.
pub(crate) fn router(app: App) -> Router {
    api()
        .router
        .route("/api/openapi.json", routing::get(docs::openapi))
        .route("/api/docs", routing::get(docs::page))
        .route("/", routing::get(docs::home))
        .route("/assets/page.css", routing::get(docs::style))
        .route("/livez", routing::get(health::livez))
        .route("/readyz", routing::get(health::readyz))
        .route("/metrics", routing::get(health::metrics))
        .method_not_allowed_fallback(async || {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This address does not take this method")
        })
        .fallback(async || Failure::new(StatusCode::NOT_FOUND, "There is nothing at this address"))
        .with_state(app)
}
