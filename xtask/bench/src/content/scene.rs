//! nginx and packhouse with the same files.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use serde_json::json;
use tempfile::TempDir;

use crate::client::{Call, Caller, Client};
use crate::content::files::{self, Size};
use crate::content::nginx::Nginx;
use crate::content::target::Target;
use crate::content::transfer::{Content, upload};
use crate::house::{Engine, House, HouseFolder};
use crate::owner::{OWNER, create_owner, create_token};
use xtask::failure::{Attempt, Result};

/// A repository that everyone may read.
pub(crate) const PUBLIC: &str = "open";

/// A repository that only its owner may read.
pub(crate) const PRIVATE: &str = "closed";

/// Both servers.
pub(crate) struct Scene {
    nginx: Nginx,
    house: House,
    owner: Caller,
    token: String,
    files: TempDir,
    published: RefCell<BTreeSet<(&'static str, Size)>>,
    // Deleted after the server has stopped.
    _place: HouseFolder,
}

impl Scene {
    /// Starts both, with repositories that have a package but no files yet.
    pub(crate) async fn set(program: &Path, nginx: &Path, engine: Engine) -> Result<Self> {
        let files = TempDir::with_prefix("packhouse-files-").attempt("cannot create a temporary folder")?;
        let place = HouseFolder::new(engine)?;
        let house = place.serve(program)?;
        let owner = create_owner(&house.address).await?;
        let mut client = Client::connect(&owner).await?;
        for (repo, is_private) in [(PUBLIC, false), (PRIVATE, true)] {
            client.send(&Call::post(format!("/api/repos/{OWNER}/{repo}"), json!({ "private": is_private }))).await?;
            let package = json!({ "name": "bench", "licenses": ["MIT"], "vcs_url": "https://example.com/bench.git" });
            client.send(&Call::post(format!("/api/packages/{OWNER}/{repo}"), package)).await?;
        }
        let token = create_token(&owner).await?;
        let nginx = Nginx::start(nginx, files.path())?;
        Ok(Self { nginx, house, owner, token, files, published: RefCell::default(), _place: place })
    }

    /// Returns nginx, the reference.
    pub(crate) fn nginx(&self) -> Target {
        Target { address: self.nginx.address.clone(), pid: self.nginx.pid(), authorization: None }
    }

    /// Returns packhouse without credentials.
    pub(crate) fn anonymous(&self) -> Target {
        Target { address: self.house.address.clone(), pid: self.house.pid(), authorization: None }
    }

    /// Returns packhouse with the owner's credentials.
    pub(crate) fn owner(&self) -> Target {
        Target { authorization: Some(self.owner.authorization()), ..self.anonymous() }
    }

    /// Returns packhouse with a token of the owner.
    pub(crate) fn token(&self) -> Target {
        Target { authorization: Some(format!("Bearer {}", self.token)), ..self.anonymous() }
    }

    /// Returns the owner of the repositories.
    pub(crate) fn caller(&self) -> &Caller {
        &self.owner
    }

    /// Returns the folder whose files nginx serves.
    pub(crate) fn folder(&self) -> &Path {
        self.files.path()
    }

    /// Returns a local file of this size, which nginx serves under its name.
    pub(crate) fn file(&self, size: Size) -> Result<PathBuf> {
        files::ensure(self.files.path(), size)
    }

    /// Publishes a file of this size, unless it is already published, and returns its download path.
    pub(crate) fn publish(&self, repo: &'static str, size: Size) -> Result<String> {
        if self.published.borrow_mut().insert((repo, size)) {
            let content = Content { start: "", file: &self.file(size)? };
            upload(&self.owner(), &upload_path(repo, size.file_name()), content)?;
        }
        Ok(format!("/dl/{OWNER}/{repo}/{}", size.file_name()))
    }
}

/// Returns the path that uploads and publishes a file.
pub(crate) fn upload_path(repo: &str, file: &str) -> String {
    format!("/api/content/{OWNER}/{repo}/bench/1.0/{file}?publish=1")
}
