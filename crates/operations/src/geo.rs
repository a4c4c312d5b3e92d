//! The countries of IP addresses, from a file in MaxMind's format that is reloaded when it changes.

use std::{
    fmt,
    net::IpAddr,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::SystemTime,
};

use arc_swap::ArcSwap;
use maxminddb::{Reader, path};
use model::access::{Country, Origin};

use crate::{Error, Result};

/// Identifies a state of the file.
type Stamp = Option<(SystemTime, u64)>;

/// The countries of IP addresses. Without a file, none is known.
#[derive(Debug, Default)]
pub struct Geo(Option<Places>);

struct Places {
    file: PathBuf,
    reader: ArcSwap<Reader<Vec<u8>>>,
    seen: Mutex<Stamp>,
}

impl Geo {
    /// Reads the file, if one is configured; it must be valid then.
    pub fn open(file: Option<&Path>) -> Result<Self> {
        let Some(file) = file else { return Ok(Self::default()) };
        let (seen, reader) = (stamp(file), read(file).map_err(Error::Internal)?);
        let reader = ArcSwap::from_pointee(reader);
        Ok(Self(Some(Places { file: file.to_owned(), reader, seen: Mutex::new(seen) })))
    }

    /// Returns the country of an address, if it is known.
    pub fn country(&self, address: IpAddr) -> Option<Country> {
        let reader = self.0.as_ref()?.reader.load();
        let found = reader.lookup(address.to_canonical()).ok()?;
        let code: Option<&str> = found.decode_path(&path!["country", "iso_code"]).ok()?;
        Country::parse(code?)
    }

    /// Returns the origin of a request. A country from a trusted proxy takes precedence over the file.
    pub fn origin(&self, address: IpAddr, told: Option<Country>) -> Origin {
        Origin { address, country: told.or_else(|| self.country(address)) }
    }

    /// Reloads a file that has changed. A damaged one causes an error once, and the old one stays in use.
    pub fn reload_if_changed(&self) -> Result<()> {
        let Some(places) = &self.0 else { return Ok(()) };
        let now = stamp(&places.file);
        let mut seen = places.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if now == *seen {
            return Ok(());
        }
        *seen = now;
        let reader = read(&places.file)
            .map_err(|error| Error::Internal(format!("{error}; the previous geo database stays in use")))?;
        places.reader.store(Arc::new(reader));
        tracing::info!("geo database reloaded from {}", places.file.display());
        Ok(())
    }
}

fn read(file: &Path) -> std::result::Result<Reader<Vec<u8>>, String> {
    let problem = |reason: String| format!("geo.database {}: {reason}", file.display());
    let bytes = std::fs::read(file).map_err(|error| problem(error.to_string()))?;
    Reader::from_source(bytes).map_err(|error| problem(format!("it is not in MaxMind's format: {error}")))
}

fn stamp(file: &Path) -> Stamp {
    let about = std::fs::metadata(file).ok()?;
    Some((about.modified().ok()?, about.len()))
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Places({})", self.file.display())
    }
}
