//! Uploads, publishing and files.

use api::*;

use crate::{
    content::*,
    endpoints::{Endpoints, delete, get, post, put},
};

pub(super) fn uploads(calls: Endpoints) -> Endpoints {
    calls
        .add(
            put("/content/{subject}/{repo}/{file_path}", "Upload a file").query(FLAGS).answers::<Message>(201),
            upload_content,
        )
        .add(
            get("/content/{subject}/{repo}/{file_path}", "Find the way to a file of the newest version")
                .query(&[("svc_package", "The package whose newest version `$latest` stands for")])
                .redirects(),
            redirect_to_file,
        )
        .add(delete("/content/{subject}/{repo}/{file_path}", "Delete a file").answers::<Message>(200), delete_content)
        .add(
            post("/content/{subject}/{repo}/{package}/{version}/publish", "Publish or discard what is uploaded")
                .routed("/content/{subject}/{repo}/{*file_path}")
                .takes::<Publish>()
                .answers::<PublishedFiles>(200),
            publish_version,
        )
        .add(
            put("/maven/{subject}/{repo}/{package}/{file_path}", "Upload a file in Maven's layout")
                .query(FLAGS)
                .answers::<Message>(201),
            upload_maven,
        )
        .add(
            post("/calc_metadata/{subject}/{repo}", "Make the index files of a repository anew")
                .answers::<Message>(202),
            calc_metadata,
        )
        .add(
            post("/calc_metadata/{subject}/{repo}/{file_path}", "Make the index files of a folder anew")
                .answers::<Message>(202),
            calc_metadata_below,
        )
}

const FLAGS: &[(&str, &str)] = &[
    ("publish", "1 shows the file at once"),
    ("override", "1 replaces other content at the same path"),
    ("explode", "1 unpacks the body, an archive, into the path's folder"),
];
