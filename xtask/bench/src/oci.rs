//! Benchmarks pushes and pulls of container images in comparison with Docker's registry.

mod client;
mod image;
mod manifests;
mod registry;
mod report;

use std::process::ExitCode;
use std::time::Instant;

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Call, Client};
use crate::house::{Engine, HouseFolder, build};
use crate::owner::{OWNER, create_owner};
use crate::processes::{peak, processor_seconds};
use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::Signals;
use xtask::tools;

use self::client::{Registry, Way, token};
use self::image::{Image, Size};
use self::registry::DockerRegistry;
use self::report::{Report, Transfer};

/// The options of the benchmark.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// The number of layers of an image
    #[arg(long, default_value_t = 20)]
    layers: u64,
    /// The size of a layer, in KiB
    #[arg(long, default_value_t = 5 * 1024)]
    layer_kib: u64,
    /// The size of the one large layer, in KiB
    #[arg(long, default_value_t = 10 * 1024 * 1024)]
    large_kib: u64,
    /// The number of images that are pushed to each registry and pulled from it, in turns
    #[arg(long, default_value_t = 5)]
    rounds: u64,
    /// The number of parallel transfers
    #[arg(long, default_value_t = 4)]
    connections: usize,
    /// How to send the content of a layer
    #[arg(long, value_enum, default_value_t = Way::Whole)]
    way: Way,
    /// How many seconds to request a manifest
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
}

/// The number of connections that request a manifest.
const CONNECTIONS: u32 = 16;

/// Prints a table, and fails if a bound is missed.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let docker = DockerRegistry::start(&tools::ensure_registry()?)?;
    let program = build()?;
    let folder = HouseFolder::new(Engine::Sqlite)?;
    let house = folder.serve(&program)?;
    let owner = create_owner(&house.address).await?;
    let repo = json!({ "type": "docker", "private": true });
    Client::connect(&owner).await?.send(&Call::post(format!("/api/repos/{OWNER}/img"), repo)).await?;
    let token = token(&owner, &format!("{OWNER}/img/app")).await?;
    let registries = [
        Registry::new("packhouse", &house.address, &format!("{OWNER}/img/app"), Some(token), house.pid(), options.way),
        Registry::new("docker-registry", &docker.address, "ada/img/app", None, docker.pid(), options.way),
    ];
    let files = TempDir::with_prefix("packhouse-files-").attempt("cannot create a temporary folder")?;
    let mut transfers = <[Transfer; 2]>::default();
    let size = Size { layers: options.layers, layer_bytes: options.layer_kib * 1024 };
    for round in 0..options.rounds {
        let image = Image::new(files.path(), round, size)?;
        for (registry, transfer) in registries.iter().zip(&mut transfers) {
            measure(registry, &image, &format!("v{round}"), options.connections, transfer).await?;
        }
    }
    let [ours, other] =
        registries.each_ref().map(|of| manifests::measure(of, "v0", CONNECTIONS, options.seconds, &signals));
    let large = Image::new(files.path(), u64::MAX, Size { layers: 1, layer_bytes: options.large_kib * 1024 })?;
    let mut larges = <[Transfer; 2]>::default();
    for (registry, transfer) in registries.iter().zip(&mut larges) {
        transfer.peak_before = peak(registry.target.pid)?;
        measure(registry, &large, "large", 1, transfer).await?;
        transfer.peak_after = peak(registry.target.pid)?;
    }
    let names = registries.each_ref().map(|registry| registry.name);
    let report = Report { names, rounds: options.rounds, size, transfers, manifests: [ours?, other?], larges };
    println!("\n{}", report.markdown());
    let misses = report.misses();
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}

/// Pushes an image and pulls it, with the time and the processor time of each.
async fn measure(
    registry: &Registry,
    image: &Image,
    tag: &str,
    connections: usize,
    transfer: &mut Transfer,
) -> Result<()> {
    // Otherwise, a registry that syncs what it stores would wait for what the other one has left to the kernel.
    nix::unistd::sync();
    let (began, used) = (Instant::now(), processor_seconds(registry.target.pid)?);
    registry.push(image, tag, connections).await?;
    transfer.push.add(image, began.elapsed(), processor_seconds(registry.target.pid)? - used);
    let (began, used) = (Instant::now(), processor_seconds(registry.target.pid)?);
    registry.pull(image, tag, connections).await?;
    transfer.pull.add(image, began.elapsed(), processor_seconds(registry.target.pid)? - used);
    Ok(())
}
