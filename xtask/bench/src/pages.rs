//! Benchmarks pages as browsers request them, for a signed-in user.

use std::process::ExitCode;
use std::time::Duration;

use serde_json::json;

use crate::catalogue::packages::name;
use crate::catalogue::{Catalogue, REPO};
use crate::client::{Call, Client};
use crate::house::{Engines, build};
use crate::measure::{Effort, ROUNDS, Rounds};
use crate::owner::OWNER;
use crate::table::{Row, markdown};
use xtask::failure::{Failure, Result};
use xtask::signals::Signals;

/// The options of `cargo xtask bench pages`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The database engine
    #[arg(long, value_enum, default_value_t = Engines::Both)]
    engine: Engines,
    #[command(flatten)]
    effort: Effort,
}

/// The number of packages in the repository.
const PACKAGES: u64 = 100_000;

/// The number of files of the one version that has files.
const FILES: u64 = 20;

/// The longest allowed median duration of a page.
const BOUND: Duration = Duration::from_millis(5);

/// Creates a URL from a number.
type Address = fn(u64) -> String;

const KINDS: [(&str, Address); 20] = [
    ("home", |_| "/".into()),
    ("search", |number| format!("/search?q={}", name(number % PACKAGES))),
    ("search with filters", |number| format!("/search?q={}&format=generic", name(number % PACKAGES))),
    ("suggestions", |number| format!("/-/suggest?q={}", name(number % PACKAGES))),
    ("newest releases", |_| "/-/explore".into()),
    ("most downloaded", |_| "/-/explore?sort=downloads".into()),
    ("feed of a repository", |_| format!("/-/feed/{OWNER}/{REPO}")),
    ("feed of a package", |_| format!("/-/feed/{OWNER}/{REPO}/guide")),
    ("a user", |_| format!("/{OWNER}")),
    ("a repository", |_| format!("/{OWNER}/{REPO}")),
    ("a package", |number| format!("/{OWNER}/{REPO}/{}", name(number % PACKAGES))),
    ("a package with a readme of 8 KiB", |_| format!("/{OWNER}/{REPO}/guide")),
    ("a version with 20 files", |_| format!("/{OWNER}/{REPO}/guide/1.0")),
    ("a folder with 20 files", |_| format!("/-/files/{OWNER}/{REPO}/guide")),
    ("settings of a package", |_| format!("/-/edit/package/{OWNER}/{REPO}/guide")),
    ("download rules", |_| format!("/-/restrictions/{OWNER}/{REPO}")),
    ("webhooks", |_| format!("/-/webhooks/{OWNER}/{REPO}")),
    ("products", |_| format!("/-/products/{OWNER}")),
    ("access keys", |_| format!("/-/users/{OWNER}/access_keys")),
    ("usage", |_| format!("/-/usage/{OWNER}/{REPO}")),
];

/// Prints a table for each engine, and fails if a page takes too long.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let signals = Signals::listen()?;
    let program = build()?;
    let mut slow = Vec::new();
    for engine in options.engine.each() {
        let catalogue = Catalogue::create(&program, *engine, PACKAGES, &signals).await?;
        write_guide(&catalogue).await?;
        let mut rows = Vec::new();
        for (call, address) in KINDS {
            let asked = move |number| Call::get(address(number));
            let mut rounds = Rounds::default();
            Rounds::warm_up(&catalogue.caller, options.effort, asked).await?;
            for round in 0..ROUNDS {
                signals.check()?;
                rounds.go(&catalogue.caller, options.effort, round, asked).await?;
            }
            rows.push(Row { call, bound: None, seen: vec![rounds.finish()?] });
        }
        println!("\n{}:\n\n{}", engine.name(), markdown("packages", &[PACKAGES], &rows));
        let late = rows.iter().filter(|row| row.seen.iter().any(|seen| seen.p50 > BOUND));
        slow.extend(late.map(|row| format!("{}: {} takes too long", engine.name(), row.call)));
    }
    if slow.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(slow.join("; "))) }
}

/// Creates a package with a readme and files, as real ones have.
async fn write_guide(catalogue: &Catalogue) -> Result<()> {
    let mut client = Client::connect(&catalogue.caller).await?;
    client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}"), json!({"name": "guide"}))).await?;
    let content = "## A part\n\nSome *words* and a [link](https://example.org).\n\n```sh\nls\n```\n\n".repeat(110);
    let readme = json!({"syntax": "markdown", "content": content});
    client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}/guide/readme"), readme)).await?;
    for number in 0..FILES {
        let path = format!("/api/content/{OWNER}/{REPO}/guide/1.0/guide/part-{number}.json?publish=1");
        client.send(&Call::put(path, json!({"part": number}))).await?;
    }
    Ok(())
}
