//! Measures the cost of a request on one, two and three nodes that share a PostgreSQL and an S3 server, and how long a
//! change takes on up to nine.
//!
//! On one machine, nodes share the processors, so more nodes do not answer more requests. Interference between nodes
//! would show as more processor time per request. If that stays constant, nodes on separate machines add up.

mod coherence;

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Call, Caller, Client};
use crate::cluster::coherence::Coherence;
use crate::content::files::{self, Size};
use crate::content::{uploads, wrk};
use crate::house::{ADMIN_KEY, House, build};
use crate::owner::{OWNER, create_owner};
use crate::processes::processor_seconds;
use xtask::failure::{Attempt, Failure, Result};
use xtask::servers::Servers;
use xtask::signals::Signals;
use xtask::tools;

/// The options of `cargo xtask bench cluster`.
#[derive(clap::Args)]
pub(crate) struct Options {
    /// How many seconds to send each kind of request to each number of nodes
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..))]
    seconds: u32,
}

/// The most nodes that requests are sent to.
const MOST_NODES: usize = 3;

/// The numbers of nodes that a change is measured on, in ascending order.
const SIZES: [usize; 3] = [1, MOST_NODES, 9];

/// The number of connections to all nodes together.
const CONNECTIONS: u32 = 12;

/// The highest allowed ratio of the processor time of a request on several nodes to that on one node.
const BOUND: f64 = 1.5;

/// Prints a table, and fails if a request costs much more on several nodes than on one.
pub(crate) async fn run(options: &Options) -> Result<ExitCode> {
    tools::ensure_bench()?;
    let signals = Signals::listen()?;
    let servers = Servers::start(&tools::ensure()?)?;
    let mut scene = Scene::set(build()?, servers).await?;
    let (mut misses, mut coherence) = (Vec::new(), Vec::new());
    for size in SIZES {
        scene.grow(size)?;
        let seen = Coherence::measure(&scene).await?;
        misses.extend(seen.misses());
        coherence.push(seen);
        if size == MOST_NODES {
            misses.extend(requests(&scene, options.seconds, &signals)?);
        }
    }
    Coherence::print(&coherence);
    if misses.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::new(misses.join("; "))) }
}

/// Measures each kind of request on one node and on several, and returns a message for each bound that is missed.
fn requests(scene: &Scene, seconds: u32, signals: &Signals) -> Result<Vec<String>> {
    println!("| request | nodes | requests/s | processor of the nodes | to one node |\n|---|---|---|---|---|");
    let mut misses = Vec::new();
    for request in Request::ALL {
        let mut first = None;
        for nodes in 1..=MOST_NODES {
            let seen = scene.measure(request, &scene.nodes[..nodes], seconds, signals)?;
            let ratio = seen.nodes_us / *first.get_or_insert(seen.nodes_us);
            let name = request.name();
            println!("| {name} | {nodes} | {:.0} | {:.0} µs | {ratio:.2} |", seen.per_second, seen.nodes_us);
            if ratio > BOUND {
                misses.push(format!("{name} costs {ratio:.2} times as much on {nodes} nodes"));
            }
        }
    }
    Ok(misses)
}

/// A kind of request.
#[derive(Clone, Copy)]
enum Request {
    Download,
    Detail,
    Upload,
}

impl Request {
    const ALL: [Self; 3] = [Self::Download, Self::Detail, Self::Upload];

    fn name(self) -> &'static str {
        match self {
            Self::Download => "GET of 4 KiB",
            Self::Detail => "GET of a package",
            Self::Upload => "PUT of 4 KiB, published",
        }
    }
}

/// The measured cost of requests.
struct Seen {
    per_second: f64,
    nodes_us: f64,
}

/// Nodes that share all their stores.
struct Scene {
    nodes: Vec<House>,
    owner: Caller,
    content: PathBuf,
    script: PathBuf,
    program: PathBuf,
    // Stopped and deleted after the nodes have stopped.
    servers: Servers,
    folder: TempDir,
}

impl Scene {
    async fn set(program: PathBuf, servers: Servers) -> Result<Self> {
        let folder = TempDir::with_prefix("packhouse-bench-").attempt("cannot create a temporary folder")?;
        let content = files::ensure(folder.path(), Size::SMALL)?;
        let script = folder.path().join("put.lua");
        std::fs::write(&script, uploads::SCRIPT).attempt("cannot write a script for wrk")?;
        let nodes = vec![House::launch(command(&program, folder.path(), &servers)?)?];
        let owner = create_owner(&nodes[0].address).await?;
        let mut client = Client::connect(&owner).await?;
        client.send(&Call::post(format!("/api/repos/{OWNER}/open"), json!({}))).await?;
        client.send(&Call::post(format!("/api/packages/{OWNER}/open"), json!({ "name": "bench" }))).await?;
        client.send(&Call::put(format!("{UPLOADS}small.bin?publish=1"), json!("meow"))).await?;
        Ok(Self { nodes, owner, content, script, program, servers, folder })
    }

    /// Starts nodes until there are this many.
    fn grow(&mut self, count: usize) -> Result<()> {
        while self.nodes.len() < count {
            self.nodes.push(House::launch(command(&self.program, self.folder.path(), &self.servers)?)?);
        }
        Ok(())
    }

    /// Sends requests to all of these nodes at once.
    fn measure(&self, request: Request, nodes: &[House], seconds: u32, signals: &Signals) -> Result<Seen> {
        let processor = || nodes.iter().map(|node| processor_seconds(node.pid())).sum::<Result<f64>>();
        let before = processor()?;
        let connections = CONNECTIONS / u32::try_from(nodes.len()).attempt("too many nodes")?;
        let authorization = self.owner.authorization();
        let runs = nodes.iter().enumerate().map(|(number, node)| wrk::Run {
            url: format!("http://{}{}", node.address, path(request)),
            authorization: Some(&authorization),
            accept: None,
            connections,
            seconds,
            script: self.script(request, &format!("{}-{number}", nodes.len())),
        });
        let runs: Vec<_> = runs.collect();
        let seen = thread::scope(|scope| {
            let running: Vec<_> = runs.iter().map(|run| scope.spawn(|| run.run(signals))).collect();
            let ended = running.into_iter().map(|run| run.join().map_err(|_| Failure::new("a run of wrk panicked"))?);
            ended.collect::<Result<Vec<_>>>()
        })?;
        let requests: f64 = seen.iter().map(|seen| seen.requests).sum();
        Ok(Seen {
            per_second: seen.iter().map(|seen| seen.per_second).sum(),
            nodes_us: (processor()? - before) / requests * 1e6,
        })
    }

    fn script(&self, request: Request, run: &str) -> Option<Vec<String>> {
        let text = |path: &Path| path.display().to_string();
        let arguments =
            [text(&self.script), UPLOADS.into(), "?publish=1".into(), run.into(), text(&self.content), "new".into()];
        matches!(request, Request::Upload).then(|| arguments.to_vec())
    }
}

const UPLOADS: &str = "/api/content/ada/open/bench/1.0/";

const DOWNLOAD: &str = "/dl/ada/open/small.bin";

fn path(request: Request) -> &'static str {
    match request {
        Request::Download => DOWNLOAD,
        Request::Detail => "/api/packages/ada/open/bench",
        Request::Upload => "/",
    }
}

/// Returns the command of a node. All nodes share the stores of `servers` and one master key.
fn command(program: &Path, folder: &Path, servers: &Servers) -> Result<Command> {
    let find = |name: &str| {
        let mut found = servers.environment().iter().filter(|(known, _)| known.ends_with(name));
        found.next().map(|(_, value)| value.clone()).ok_or_else(|| Failure::new(format!("the servers have no {name}")))
    };
    let mut command = Command::new(program);
    command.env_clear().envs(std::env::vars().filter(|(name, _)| !name.starts_with("PACKHOUSE_")));
    command.args(["serve", "--listen", "127.0.0.1:0", "--data"]).arg(folder).current_dir(folder).envs([
        ("PACKHOUSE_DATABASE_URL", find("_POSTGRES")?),
        ("PACKHOUSE_BLOBS", format!("s3://{}/bench", find("_S3_BUCKET")?)),
        ("PACKHOUSE_S3__ENDPOINT", find("_S3_ENDPOINT")?),
        ("PACKHOUSE_S3__ACCESS_KEY_ID", find("_S3_ACCESS_KEY")?),
        ("PACKHOUSE_S3__SECRET_ACCESS_KEY", find("_S3_SECRET_KEY")?),
        ("PACKHOUSE_S3__ALLOW_HTTP", "true".into()),
        ("PACKHOUSE_ADMIN_KEY", ADMIN_KEY.into()),
        ("PACKHOUSE_LOG__LEVEL", "warn".into()),
    ]);
    Ok(command)
}
