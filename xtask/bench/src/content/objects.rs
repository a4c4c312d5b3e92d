//! Benchmarks objects and lists of the API in comparison with nginx sending the same bytes.

use std::fs;

use serde_json::json;

use crate::client::{Call, Client};
use crate::content::Effort;
use crate::content::report::{Report, Row};
use crate::content::rounds::alternate;
use crate::content::scene::{PUBLIC, Scene};
use crate::content::small::get;
use crate::content::target::Target;
use crate::owner::OWNER;
use xtask::failure::{Attempt, Result};

const CONNECTIONS: u32 = 64;

/// The number of packages in the list: several pages, and more than an anonymous caller sees.
const PACKAGES: u32 = 300;

/// The measured reads, and the least rate in comparison with nginx if they come from the cache.
const READS: [(&str, &str, f64); 3] =
    [("package", "", 0.5), ("list of packages, first page", "", 0.3), ("the same by prefix", "?start_name=tool-", 0.3)];

/// How much slower the list by prefix may be than the first page.
const PREFIX: f64 = 1.5;

/// Requests an object and two lists without credentials, which the cache answers, and as their owner, who is looked up
/// each time. Then compares the list by prefix with the first page.
pub(crate) async fn measure(scene: &Scene, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    let mut client = Client::connect(scene.caller()).await?;
    for number in 0..PACKAGES {
        let package =
            json!({ "name": format!("tool-{number:04}"), "licenses": ["MIT"], "vcs_url": "https://example.com" });
        client.send(&Call::post(format!("/api/packages/{OWNER}/{PUBLIC}"), package)).await?;
    }
    let list = format!("/api/repos/{OWNER}/{PUBLIC}/packages");
    let package = format!("/api/packages/{OWNER}/{PUBLIC}/tool-0007");
    for (number, (name, query, least)) in READS.into_iter().enumerate() {
        let path = if number == 0 { package.clone() } else { format!("{list}{query}") };
        // The server closes connections that are idle for long.
        let bytes = Client::connect(scene.caller()).await?.send(&Call::get(&path)).await?;
        let file = format!("object-{number}.json");
        fs::write(scene.folder().join(&file), &bytes).attempt("cannot write an object")?;
        for (who, target, least) in [("anonymous", scene.anonymous(), Some(least)), ("Basic", scene.owner(), None)] {
            let nginx = Target { authorization: target.authorization.clone(), ..scene.nginx() };
            let reference = format!("/{file}");
            let (nginx, packhouse) =
                (|_| get(&nginx, &reference, CONNECTIONS, effort), |_| get(&target, &path, CONNECTIONS, effort));
            report.rows.push(Row {
                name: format!("{name}, {} bytes, {who}", bytes.len()),
                unit: "requests/s",
                operation: "",
                both: alternate(effort.rounds, effort.signals, nginx, packhouse)?,
                least,
                most_processor: None,
            });
        }
    }
    let (owner, by_prefix) = (scene.owner(), format!("{list}{}", READS[2].1));
    report.rows.push(Row {
        name: "the list by prefix in the place of packhouse, the first page in that of nginx, both Basic".into(),
        unit: "requests/s",
        operation: "",
        both: alternate(
            effort.rounds,
            effort.signals,
            |_| get(&owner, &list, CONNECTIONS, effort),
            |_| get(&owner, &by_prefix, CONNECTIONS, effort),
        )?,
        least: None,
        most_processor: Some(PREFIX),
    });
    Ok(())
}
