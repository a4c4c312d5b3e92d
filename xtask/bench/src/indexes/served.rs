//! Downloads of the index, in comparison with nginx.

use std::fs;
use std::io::Read;
use std::path::Path;

use flate2::read::GzDecoder;
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
use xtask::failure::{Attempt, Failure, Result};

const CONNECTIONS: u32 = 16;

/// The lowest ratio to the requests that nginx answers.
const LEAST: f64 = 0.9;

/// Downloads `Packages.gz`, which lists this many packages.
pub(crate) async fn measure(
    scene: &Scene,
    packages: u64,
    program: &Path,
    effort: &Effort<'_>,
    report: &mut Report,
) -> Result<()> {
    let path = format!("/dl/{OWNER}/{REPO}/dists/stable/main/binary-amd64/Packages.gz");
    let index = Client::connect(&scene.owner).await?.send(&Call::get(&path)).await?;
    check(&index, packages)?;
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

/// Checks that the index is whole and lists each package.
fn check(index: &[u8], packages: u64) -> Result<()> {
    let mut text = String::new();
    GzDecoder::new(index).read_to_string(&mut text).attempt("the index is damaged")?;
    let listed = text.lines().filter(|line| line.starts_with("Package: ")).count() as u64;
    if listed == packages {
        return Ok(());
    }
    Err(Failure::new(format!("the index lists {listed} packages instead of {packages}")))
}
