//! The credentials file that `packhouse login` writes: `$XDG_CONFIG_HOME/packhouse/credentials.toml`, readable only by
//! its owner.

use std::{
    collections::BTreeMap,
    env, fs,
    io::Write,
    os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::error::{Error, Result};

/// The stored credentials, by server URL.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Credentials {
    /// The server of the last login.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) default: Option<String>,
    #[serde(default)]
    pub(crate) servers: BTreeMap<String, Login>,
}

/// The credentials for one server.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Login {
    pub(crate) user: String,
    pub(crate) api_key: String,
}

impl std::fmt::Debug for Login {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Login({})", self.user)
    }
}

/// The path of the file.
pub(crate) fn path() -> Result<PathBuf> {
    let given = |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = given("XDG_CONFIG_HOME").or_else(|| given("HOME").map(|home| home.join(".config")));
    let folder = folder.ok_or_else(|| {
        let error = Error::usage("no folder for credentials: neither XDG_CONFIG_HOME nor HOME is set");
        error.hint("use PACKHOUSE_URL, PACKHOUSE_USER and PACKHOUSE_API_KEY instead")
    })?;
    Ok(folder.join("packhouse").join("credentials.toml"))
}

/// Loads the stored credentials; none if the file does not exist.
pub(crate) fn load() -> Result<Credentials> {
    // Without a home folder there is nothing to read; saving reports an error.
    let Ok(path) = path() else { return Ok(Credentials::default()) };
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Credentials::default()),
        Err(error) => return Err(Error::local(path.display(), error)),
    };
    check_private(&path)?;
    // The parser's own message would quote the line, and with it a key.
    toml::from_str(&text).map_err(|_| {
        Error::local(path.display(), "it is not a credentials file").hint("remove it, then run `packhouse login`")
    })
}

fn check_private(path: &Path) -> Result<()> {
    let mode = fs::metadata(path).map_err(|error| Error::local(path.display(), error))?.permissions().mode();
    if mode & 0o077 != 0 {
        let error = Error::local(path.display(), "other users of this machine can read it");
        return Err(error.hint(format!("run `chmod 600 {}`", path.display())));
    }
    Ok(())
}

/// Replaces the file atomically.
pub(crate) fn save(credentials: &Credentials) -> Result<PathBuf> {
    let path = path()?;
    write(&path, credentials).map_err(|error| Error::local(path.display(), error))?;
    Ok(path)
}

fn write(path: &Path, credentials: &Credentials) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    let unfinished = path.with_extension(format!("toml.{}", std::process::id()));
    let text = toml::to_string(credentials).map_err(std::io::Error::other)?;
    let mut file = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&unfinished)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}
