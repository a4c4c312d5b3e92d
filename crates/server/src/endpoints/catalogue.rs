//! Repositories, packages, versions and their texts.

use api::*;

use crate::{
    catalogue::*,
    endpoints::{Endpoints, delete, get, patch, post, put},
    search,
};

pub(super) fn repositories(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}", "List the repositories that a subject may write to")
                .lists::<RepoSummary>(200)
                .cached(),
            list_repos,
        )
        .add(get("/repos/{subject}/{repo}", "Show a repository").answers::<Repo>(200).cached(), show_repo)
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
                    ("q", "Words of the name or the description; the best matches come first"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<Repo>(200),
            search::search_repos,
        )
        .add(
            put(
                "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}",
                "Link a package of another repository into this one",
            )
            .takes::<NewLink>()
            .answers::<Message>(201),
            link_package,
        )
        .add(
            delete(
                "/repository/{subject}/{repo}/links/{source_subject}/{source_repo}/{source_package}",
                "Remove the link to a package of another repository",
            )
            .answers::<Message>(200),
            unlink_package,
        )
}

pub(super) fn packages(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/repos/{subject}/{repo}/packages", "List the packages of a repository")
                .query(&[
                    ("start_pos", "The position of the first result, from 0"),
                    ("start_name", "The prefix of the names"),
                ])
                .lists::<PackageSummary>(200)
                .cached(),
            list_packages,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}", "Show a package")
                .query(WITH_VALUES)
                .answers::<Package>(200)
                .cached(),
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
            put("/packages/{subject}/{repo}/{package}/tags/{tag}", "Point a tag of a package to a version")
                .takes::<TagTarget>()
                .answers::<Message>(200),
            set_tag,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/tags/{tag}", "Delete a tag of a package")
                .answers::<Message>(200),
            delete_tag,
        )
        .add(
            get("/search/packages", "Search packages")
                .query(&[
                    ("name", "A part of the name"),
                    ("desc", "A part of the description"),
                    ("q", "Words of the name, the description or the labels; the best matches come first"),
                    ("subject", "The owner of the repositories to search"),
                    ("repo", "The name of the repositories to search"),
                    ("format", "The format of the repositories to search"),
                    ("license", "A licence of the packages"),
                    ("label", "A label of the packages"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<Package>(200),
            search::search_packages,
        )
}

pub(super) fn versions(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get(
                "/packages/{subject}/{repo}/{package}/versions/{version}",
                "Show a version, or the latest as `_latest`",
            )
            .query(WITH_VALUES)
            .answers::<Version>(200)
            .cached(),
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

pub(super) fn documents(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/readme", "Show the readme of a package")
                .answers::<ShownDocument>(200)
                .cached(),
            show_readme,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/readme", "Set the readme of a package")
                .takes::<SentDocument>()
                .answers::<SetDocument>(200),
            set_readme,
        )
        .add(
            delete("/packages/{subject}/{repo}/{package}/readme", "Delete the readme of a package")
                .answers::<Message>(200),
            delete_readme,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}/release_notes", "Show the release notes of a package")
                .answers::<ShownDocument>(200)
                .cached(),
            show_package_notes,
        )
        .add(
            post("/packages/{subject}/{repo}/{package}/release_notes", "Set the release notes of a package")
                .takes::<SentDocument>()
                .answers::<SetDocument>(200),
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
            .answers::<ShownDocument>(200)
            .cached(),
            show_version_notes,
        )
        .add(
            post(
                "/packages/{subject}/{repo}/{package}/versions/{version}/release_notes",
                "Set the release notes of a version",
            )
            .takes::<SentDocument>()
            .answers::<SetDocument>(200),
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

pub(super) const WITH_VALUES: &[(&str, &str)] = &[("attribute_values", "1 shows the values of attributes")];
