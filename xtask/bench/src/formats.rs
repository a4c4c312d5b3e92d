//! Benchmarks the indexes of package managers' registries in comparison with nginx and with other registries.

mod archives;
mod crowd;
mod peers;
mod publishing;
mod reading;
mod registry;

use std::process::ExitCode;

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Call, Caller, Client};
use crate::content::nginx::Nginx;
use crate::content::report::Report;
use crate::formats::registry::Registry;
use crate::house::{Engine, House, HouseFolder, build};
use crate::owner::{OWNER, create_owner};
use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::Signals;
use xtask::tools;

/// The options of `cargo xtask bench formats`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of versions of the package
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(100..=10_000))]
    versions: u32,
    /// How often to measure each server, in turns
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    rounds: u32,
    /// How many seconds to send requests in each round
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
    /// Measure instead how the number of other packages in the repository matters, such as 1000,1000000
    #[arg(long, value_delimiter = ',', value_parser = clap::value_parser!(u64).range(100..))]
    packages: Vec<u64>,
    /// The database of the repositories with many packages
    #[arg(long, value_enum, default_value_t = Engine::Sqlite, requires = "packages")]
    engine: Engine,
}

/// packhouse with a public and a private repository of each type, and nginx.
pub(crate) struct Scene<'a> {
    options: &'a Options,
    signals: &'a Signals,
    house: &'a House,
    owner: Caller,
    nginx: Nginx,
    files: TempDir,
}

impl Scene<'_> {
    /// Returns the path of a repository, which is the root of a registry.
    fn root(registry: Registry, is_private: bool) -> String {
        format!("/dl/{OWNER}/{}-{}", registry.format(), if is_private { "closed" } else { "open" })
    }
}

/// Prints tables, and fails if a bound is missed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    let nginx = tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let program = build()?;
    if !options.packages.is_empty() {
        let crowds = crowd::measure(&program, options, &signals).await?;
        println!("\n{}", crowd::markdown(&options.packages, &crowds));
        return conclude(crowds.iter().flat_map(crowd::Crowd::misses).collect());
    }
    let files = TempDir::with_prefix("packhouse-files-").attempt("cannot create a temporary folder")?;
    let place = HouseFolder::new(Engine::Sqlite)?;
    let house = place.serve(&program)?;
    let owner = create_owner(&house.address).await?;
    let nginx = Nginx::start(&nginx, files.path())?;
    let scene = Scene { options, signals: &signals, house: &house, owner, nginx, files };
    let (mut report, mut published) = (Report::default(), Vec::new());
    for registry in Registry::ALL {
        create_repos(&scene, registry).await?;
        let peer = peers::Peer::start(registry)?;
        published.push(publishing::measure(&scene, registry, peer.as_ref()).await?);
        reading::measure(&scene, registry, peer.as_ref(), &mut report).await?;
    }
    println!("\n{}\n{}", publishing::markdown(options.versions, &published), report.markdown());
    conclude(published.iter().filter_map(publishing::Published::miss).chain(report.misses()).collect())
}

fn conclude(misses: Vec<String>) -> Result<ExitCode> {
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}

async fn create_repos(scene: &Scene<'_>, registry: Registry) -> Result<()> {
    for is_private in [false, true] {
        let root = Scene::root(registry, is_private);
        let name = root.rsplit('/').next().unwrap_or_default();
        create_repo(&scene.owner, name, registry, is_private).await?;
    }
    Ok(())
}

async fn create_repo(owner: &Caller, name: &str, registry: Registry, is_private: bool) -> Result<()> {
    let body = json!({ "type": registry.format(), "private": is_private });
    Client::connect(owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/{name}"), body)).await?;
    Ok(())
}
