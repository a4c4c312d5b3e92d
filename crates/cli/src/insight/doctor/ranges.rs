//! Checks that range requests work: without them no download can be resumed.

use reqwest::{Method, StatusCode, header};

use super::Finding;
use crate::{
    address::{RepoAddress, encode_path},
    client::Client,
};

pub(super) async fn check(client: &Client, given: Option<&str>) -> Finding {
    let path = match given {
        Some(path) => encode_path(path),
        None => match any_file(client).await {
            Some(path) => path,
            None => return Finding::skipped("ranges", "no file found to test with; name one with --file"),
        },
    };
    let request = client.request(Method::GET, &format!("/dl/{path}")).header(header::RANGE, "bytes=0-0");
    match client.answer(request).await {
        Ok(answer) if answer.status() == StatusCode::PARTIAL_CONTENT => Finding::fine("ranges", "range requests work"),
        Ok(answer) if answer.status() == StatusCode::OK => Finding::problem(
            "ranges",
            "something in front of the server sends whole files only",
            "nginx: no `proxy_cache` for /dl, or `proxy_force_ranges on;`",
        ),
        Ok(answer) => Finding::problem(
            "ranges",
            format!("/dl/{path} answers {}", answer.status().as_u16()),
            "name a file that you may read with --file owner/repo/path",
        ),
        Err(error) => Finding::problem("ranges", error.message, "check the log of the proxy"),
    }
}

async fn any_file(client: &Client) -> Option<String> {
    let found: Vec<api::File> = client.get("/search/file?name=*").await.ok()?;
    let file = found.into_iter().find(|file| file.size > 1)?;
    Some(RepoAddress { owner: file.owner, repo: file.repo }.file(&file.path))
}
