//! Measures how much it costs to publish one more version of a package that has many.

use crate::client::{Caller, Client};
use crate::formats::Scene;
use crate::formats::peers::Peer;
use crate::formats::registry::Registry;
use crate::processes::{processor_seconds, resident};
use xtask::failure::Result;
use xtask::signals::Signals;

/// The number of versions whose cost is measured, at the beginning and at the end.
const MEASURED: u32 = 50;

/// One more version may cost this many times as much as the first ones.
const MOST_GROWTH: f64 = 2.0;

/// The processor time of a publish in milliseconds.
pub(crate) struct Published {
    registry: Registry,
    first: f64,
    last: f64,
    /// The resident memory after the first and the last versions, in MiB.
    memory: [f64; 2],
    /// The name of the peer and its processor times.
    peer: Option<(&'static str, f64, f64)>,
}

impl Published {
    /// Returns a message if the cost has grown too much.
    pub(crate) fn miss(&self) -> Option<String> {
        let growth = self.last / self.first;
        let name = self.registry.format();
        (growth > MOST_GROWTH).then(|| format!("{name}: a publish costs {growth:.2} times as much at the end"))
    }

    fn line(&self) -> String {
        let Self { registry, first, last, memory: [before, after], peer } = self;
        let peer = peer.map_or("|".to_owned(), |(name, first, last)| format!("{name}: {first:.2} ms, {last:.2} ms |"));
        let growth = last / first;
        let name = registry.format();
        format!("| {name} | {first:.2} ms | {last:.2} ms | {growth:.2} | {before:.0} MiB, {after:.0} MiB | {peer}\n")
    }
}

/// Publishes all versions to both repositories and to the peer, one after the other.
pub(crate) async fn measure(scene: &Scene<'_>, registry: Registry, peer: Option<&Peer>) -> Result<Published> {
    let (pid, root) = (scene.house.pid(), Scene::root(registry, false));
    let used = || processor_seconds(pid);
    let start = publish(scene.signals, &scene.owner, used, registry, &root, 0..MEASURED).await?;
    let before = resident(pid)?;
    let end = scene.options.versions - MEASURED;
    publish(scene.signals, &scene.owner, used, registry, &root, MEASURED..end).await?;
    let last = publish(scene.signals, &scene.owner, used, registry, &root, end..scene.options.versions).await?;
    let memory = [before, resident(pid)?];
    let private = Scene::root(registry, true);
    publish(scene.signals, &scene.owner, used, registry, &private, 0..scene.options.versions).await?;
    let peer = match peer {
        Some(peer) => {
            let caller = Caller { address: peer.address.clone(), ..scene.owner.clone() };
            let used = || processor_seconds(peer.pid());
            let first = publish(scene.signals, &caller, used, registry, "", 0..MEASURED).await?;
            publish(scene.signals, &caller, used, registry, "", MEASURED..end).await?;
            let last = publish(scene.signals, &caller, used, registry, "", end..scene.options.versions).await?;
            Some((peer.name, first, last))
        }
        None => None,
    };
    Ok(Published { registry, first: start, last, memory, peer })
}

/// Publishes these versions, and returns the processor time of each in milliseconds. `used` reads that of the server, in
/// seconds.
pub(crate) async fn publish(
    signals: &Signals,
    caller: &Caller,
    used: impl Fn() -> Result<f64>,
    registry: Registry,
    root: &str,
    versions: std::ops::Range<u32>,
) -> Result<f64> {
    let (before, count) = (used()?, versions.len());
    for number in versions {
        signals.check()?;
        // A connection of its own for each, as package managers have.
        let mut client = Client::connect(caller).await?;
        client.send(&registry.publish(root, &format!("1.{number}.0"))?).await?;
    }
    Ok((used()? - before) / count as f64 * 1e3)
}

/// Returns the table.
pub(crate) fn markdown(versions: u32, published: &[Published]) -> String {
    let head = format!(
        "| processor time of a publish | versions 1 to {MEASURED} | the last {MEASURED} of {versions} | growth (at most \
         {MOST_GROWTH}) | resident memory | others |\n|---|---|---|---|---|---|\n"
    );
    head + &published.iter().map(Published::line).collect::<String>()
}
