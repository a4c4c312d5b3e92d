//! Benchmarks downloads of a small file on persistent connections.

use crate::content::files::Size;
use crate::content::report::{Report, Row};
use crate::content::rounds::{Sample, alternate};
use crate::content::scene::{PRIVATE, PUBLIC, Scene};
use crate::content::target::{Done, Target};
use crate::content::{Effort, wrk};
use xtask::failure::Result;

const CONNECTIONS: u32 = 64;

/// The number of rounds for each requested round: a run is short, and three of them say little.
const ROUNDS: u32 = 3;

/// Measures anonymous downloads from a public repository and downloads of the owner from a private one,
/// with the API key and with a token, in comparison with plain nginx and with nginx sending the same head.
pub(crate) fn measure(scene: &Scene, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    let asked = [
        ("anonymous, public repository", PUBLIC, scene.anonymous()),
        ("Basic, private repository", PRIVATE, scene.owner()),
        ("token, private repository", PRIVATE, scene.token()),
    ];
    for (who, repo, target) in asked {
        let path = scene.publish(repo, Size::SMALL)?;
        // The same request, although nginx ignores the credentials.
        let nginx = Target { authorization: target.authorization.clone(), ..scene.nginx() };
        for (head, folder) in [("", ""), (", the same head", "/same-head")] {
            let reference = format!("{folder}/{}", Size::SMALL.file_name());
            let (nginx, packhouse) =
                (|_| get(&nginx, &reference, CONNECTIONS, effort), |_| get(&target, &path, CONNECTIONS, effort));
            report.rows.push(Row {
                name: format!("GET {}, {CONNECTIONS} connections, {who}{head}", Size::SMALL.name()),
                unit: "requests/s",
                operation: "",
                both: alternate(ROUNDS * effort.rounds, effort.signals, nginx, packhouse)?,
                least: Some(1.0),
                most_processor: Some(1.2),
            });
        }
    }
    Ok(())
}

pub(crate) fn get(target: &Target, path: &str, connections: u32, effort: &Effort<'_>) -> Result<Sample> {
    let run = wrk::Run {
        url: format!("http://{}{path}", target.address),
        authorization: target.authorization.as_deref(),
        accept: None,
        connections,
        seconds: effort.seconds,
        script: None,
    };
    target.sample(|| {
        let seen = run.run(effort.signals)?;
        Ok(Done { value: seen.per_second, operations: seen.requests })
    })
}
