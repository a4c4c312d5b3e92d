//! Uploads, publishing and files.

use api::*;

use crate::{
    content::*,
    downloads::download_maven,
    endpoints::{Endpoints, catalogue::WITH_VALUES, delete, get, post, put},
    search,
};

pub(super) fn uploads(calls: Endpoints) -> Endpoints {
    calls
        .add(
            put("/content/{subject}/{repo}/{file_path}", "Upload a file").query(FLAGS).answers::<Message>(201),
            upload_content,
        )
        .add(
            get("/content/{subject}/{repo}/{file_path}", "Redirect to a file of the latest version")
                .query(&[("svc_package", "The package whose latest version replaces `$latest`")])
                .redirects(),
            redirect_to_file,
        )
        .add(delete("/content/{subject}/{repo}/{file_path}", "Delete a file").answers::<Message>(200), delete_content)
        .add(
            post(
                "/content/{subject}/{repo}/{package}/{version}/publish",
                "Publish or discard the staged files of a version",
            )
            .routed("/content/{subject}/{repo}/{*file_path}")
            .takes::<Publish>()
            .answers::<PublishedFiles>(200),
            publish_version,
        )
        .add(
            get("/maven/{subject}/{repo}/{package}/{file_path}", "Download a file below the deploy URL"),
            download_maven,
        )
        .add(
            put("/maven/{subject}/{repo}/{package}/{file_path}", "Upload a file in Maven's layout")
                .query(FLAGS)
                .answers::<Message>(201),
            upload_maven,
        )
        .add(
            post("/calc_metadata/{subject}/{repo}", "Rebuild the index files of a repository")
                .takes::<Signing>()
                .answers::<Message>(202),
            calc_metadata,
        )
        .add(
            post("/calc_metadata/{subject}/{repo}/{file_path}", "Rebuild the index files of a folder")
                .takes::<Signing>()
                .answers::<Message>(202),
            calc_metadata_below,
        )
}

pub(super) fn files(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/packages/{subject}/{repo}/{package}/files", "List the files of a package")
                .query(LISTING)
                .lists::<File>(200)
                .cached(),
            list_package_files,
        )
        .add(
            get("/packages/{subject}/{repo}/{package}/versions/{version}/files", "List the files of a version")
                .query(LISTING)
                .lists::<File>(200)
                .cached(),
            list_version_files,
        )
        .add(
            get("/file_package/{subject}/{repo}/{file_path}", "Show the package of a file")
                .query(WITH_VALUES)
                .answers::<Package>(200)
                .cached(),
            show_file_package,
        )
        .add(
            get("/file_version/{subject}/{repo}/{file_path}", "Show the version of a file")
                .query(WITH_VALUES)
                .answers::<Version>(200)
                .cached(),
            show_file_version,
        )
        .add(
            put("/file_metadata/{subject}/{repo}/{file_path}", "Change the properties of a file")
                .takes::<FileMetadata>()
                .answers::<Message>(200),
            edit_file_metadata,
        )
        .add(
            get("/search/file", "Search files")
                .query(&[
                    ("name", "A pattern of the file name: `*` is any text, `?` one character"),
                    ("sha1", "The SHA-1 of the content"),
                    ("subject", "The owner of the repositories to search"),
                    ("repo", "The name of the repositories to search"),
                    ("created_after", "Only files that were uploaded after this time"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<File>(200),
            search::search_files,
        )
}

const LISTING: &[(&str, &str)] = &[
    ("include_unpublished", "1 also lists unpublished files; for publishers"),
    ("start_pos", "The position of the first result, from 0"),
];

const FLAGS: &[(&str, &str)] = &[
    ("publish", "1 publishes the file at once"),
    ("override", "1 replaces other content at the same path"),
    ("explode", "1 unpacks the body, an archive, into the path's folder"),
];
