//! A server with a Debian repository of a given size.

use std::path::Path;
use std::time::Duration;

use database::{Database, Options, indexes::heads, testing::bulk};
use hyper::Method;
use model::id::RepoId;
use serde_json::json;

use crate::client::{Call, Caller, Client};
use crate::content::target::Target;
use crate::house::{Engine, House, HouseFolder, find_repo};
use crate::indexes::debs::{deb, file_name, tar_gz};
use crate::owner::{OWNER, create_owner};
use xtask::failure::{Attempt, Failure, Result};
use xtask::signals::Signals;

/// The repository.
pub(crate) const REPO: &str = "deb";

/// The number of packages in an archive.
const ARCHIVE: u64 = 1_000;

/// The media type of uploads.
const MEDIA_TYPE: &str = "application/octet-stream";

/// Where indexes list the packages.
const PLACE: &str = "deb_distribution=stable;deb_component=main;publish=1";

/// The server.
pub(crate) struct Scene {
    house: House,
    /// The owner of the repository.
    pub(crate) owner: Caller,
    /// The number of packages at the start.
    pub(crate) size: u64,
    db: Database,
    repo_id: RepoId,
    // Deleted after the server has stopped.
    place: HouseFolder,
}

impl Scene {
    /// Starts the server, and publishes the packages in archives.
    pub(crate) async fn set(program: &Path, engine: Engine, size: u64, signals: &Signals) -> Result<Self> {
        let place = HouseFolder::new(engine)?;
        let house = place.serve(program)?;
        let owner = create_owner(&house.address).await?;
        let mut client = Client::connect(&owner).await?;
        let settings = json!({ "type": "debian", "gpg_sign_metadata": true });
        client.send(&Call::post(format!("/api/repos/{OWNER}/{REPO}"), settings)).await?;
        let package = json!({ "name": "bench", "licenses": ["MIT"], "vcs_url": "https://example.com/bench.git" });
        client.send(&Call::post(format!("/api/packages/{OWNER}/{REPO}"), package)).await?;
        for first in (0..size).step_by(usize::try_from(ARCHIVE).unwrap_or(1)) {
            signals.check()?;
            let numbers = first..size.min(first + ARCHIVE);
            let files: Result<Vec<_>> = numbers.map(|number| Ok((file_name(number), deb(number)?))).collect();
            let path = format!("/api/content/{OWNER}/{REPO}/bench/1.0/pool/pool.tar.gz;{PLACE};explode=1");
            client.send(&Call::upload(Method::PUT, path, MEDIA_TYPE, tar_gz(&files?)?)).await?;
        }
        let options = Options { connections: 1, timeout: Duration::from_secs(60), ..Options::default() };
        let db = Database::open(&place.database_url(), &options).await.attempt("cannot open the database")?;
        bulk::tidy(&db).await.attempt("cannot tidy the database")?;
        let repo_id = find_repo(&db, REPO).await?;
        Ok(Self { house, owner, size, db, repo_id, place })
    }

    /// The server without credentials.
    pub(crate) fn target(&self) -> Target {
        Target { address: self.house.address.clone(), pid: self.house.pid(), authorization: None }
    }

    /// The processor time that the server and its database have used so far, in seconds.
    pub(crate) fn processor_seconds(&self) -> Result<f64> {
        self.place.processor_seconds(&self.house)
    }

    /// The number of generations of the indexes so far.
    pub(crate) async fn generation(&self) -> Result<i64> {
        let head = heads::find(&self.db, self.repo_id).await.attempt("cannot read the generation")?;
        Ok(head.ok_or_else(|| Failure::new("the repository has no indexes"))?.generation)
    }
}

/// A request that publishes a package.
pub(crate) fn publish(number: u64) -> Result<Call> {
    let path = format!("/api/content/{OWNER}/{REPO}/bench/1.0/pool/{};{PLACE}", file_name(number));
    Ok(Call::upload(Method::PUT, path, MEDIA_TYPE, deb(number)?))
}

/// A request that deletes a package.
pub(crate) fn delete(number: u64) -> Call {
    Call::delete(format!("/api/content/{OWNER}/{REPO}/pool/{}", file_name(number)))
}
