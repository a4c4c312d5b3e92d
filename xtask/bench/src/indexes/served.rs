//! Downloads of the index, in comparison with nginx.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::client::{Call, Client};
use crate::content::Effort;
use crate::content::nginx::Nginx;
use crate::content::report::{Report, Row};
use crate::content::rounds::alternate;
use crate::content::small::get;
use crate::content::target::Target;
use crate::indexes::scene::{REPO, Scene};
use crate::owner::OWNER;
use crate::table::grouped;
use xtask::failure::{Attempt, Result};

const CONNECTIONS: u32 = 16;

/// The lowest ratio to the requests that nginx answers.
const LEAST: f64 = 0.9;

/// Downloads `Packages.gz`.
pub(crate) async fn measure(scene: &Scene, program: &Path, effort: &Effort<'_>, report: &mut Report) -> Result<()> {
    let path = format!("/dl/{OWNER}/{REPO}/dists/stable/main/binary-amd64/Packages.gz");
    let index = Client::connect(&scene.owner).await?.send(&Call::get(&path)).await?;
    let folder = TempDir::with_prefix("packhouse-index-").attempt("cannot create a temporary folder")?;
    fs::write(folder.path().join("Packages.gz"), &index).attempt("cannot write the index")?;
    let server = Nginx::start(program, folder.path())?;
    let nginx = Target { address: server.address.clone(), pid: server.pid(), authorization: None };
    let target = scene.target();
    report.rows.push(Row {
        name: format!("GET Packages.gz of {} packages, {CONNECTIONS} connections", grouped(scene.size as f64)),
        unit: "requests/s",
        operation: "",
        both: alternate(
            effort.rounds,
            effort.signals,
            |_| get(&nginx, "/Packages.gz", CONNECTIONS, effort),
            |_| get(&target, &path, CONNECTIONS, effort),
        )?,
        least: Some(LEAST),
        most_processor: None,
    });
    Ok(())
}
