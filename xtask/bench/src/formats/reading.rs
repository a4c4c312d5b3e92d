//! Measures how fast the index of a package with many versions is served.

use std::fs;

use crate::client::{Call, Client};
use crate::content::report::{Report, Row};
use crate::content::rounds::{Sample, alternate};
use crate::content::target::{Done, Target};
use crate::content::wrk;
use crate::formats::Scene;
use crate::formats::peers::Peer;
use crate::formats::registry::Registry;
use xtask::failure::{Attempt, Result};

const CONNECTIONS: u32 = 16;

/// The least rate, in comparison with nginx sending the same bytes.
const LEAST: f64 = 0.7;

/// Requests the index without and with credentials, in turns with a file of the same bytes, and that of the peer.
pub(crate) async fn measure(
    scene: &Scene<'_>,
    registry: Registry,
    peer: Option<&Peer>,
    report: &mut Report,
) -> Result<()> {
    let nginx = Target { address: scene.nginx.address.clone(), pid: scene.nginx.pid(), authorization: None };
    let anonymous = Target { address: scene.house.address.clone(), pid: scene.house.pid(), authorization: None };
    let owner = Target { authorization: Some(scene.owner.authorization()), ..anonymous.clone() };
    for (who, is_private, target) in [("anonymous", false, anonymous), ("Basic, private", true, owner)] {
        let path = Scene::root(registry, is_private) + &registry.index();
        let index = Client::connect(&scene.owner).await?.send(&Call::get(&path)).await?;
        let file = format!("{}-{is_private}", registry.format());
        fs::write(scene.files.path().join(&file), &index).attempt("cannot write the index")?;
        let nginx = Target { authorization: target.authorization.clone(), ..nginx.clone() };
        report.rows.push(Row {
            name: format!("{}: index of {} KiB, {who}", registry.format(), index.len() / 1024),
            unit: "requests/s",
            operation: "",
            both: alternate(
                scene.options.rounds,
                scene.signals,
                |_| get(scene, &nginx, &format!("/{file}")),
                |_| get(scene, &target, &path),
            )?,
            least: Some(LEAST),
            most_processor: None,
        });
    }
    if let Some(peer) = peer {
        let target = Target { address: peer.address.clone(), pid: peer.pid(), authorization: None };
        let sample = get(scene, &target, &registry.index())?;
        println!(
            "{}: {:.0} requests/s for the same index, {:.0} µs of processor time each",
            peer.name, sample.value, sample.processor_us
        );
    }
    Ok(())
}

fn get(scene: &Scene<'_>, target: &Target, path: &str) -> Result<Sample> {
    let run = wrk::Run {
        url: format!("http://{}{path}", target.address),
        authorization: target.authorization.as_deref(),
        accept: None,
        connections: CONNECTIONS,
        seconds: scene.options.seconds,
        script: None,
    };
    target.sample(|| {
        let seen = run.run(scene.signals)?;
        Ok(Done { value: seen.per_second, operations: seen.requests })
    })
}
