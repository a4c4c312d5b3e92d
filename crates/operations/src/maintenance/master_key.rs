//! Replacing the master key.
//!
//! A new key is written beside the file of the old one. One transaction then seals every secret again under the new key,
//! carries over what hashes hang on, and writes down by which fingerprint the key is recognised. Last, the new file takes
//! the place of the old one, which keeps another name: backups from before need it. A process may stop between any two of
//! these steps. Before the transaction, the old key is the right one and nothing has happened; after it, whoever opens the
//! house next finds the new file and ends what was begun.

use std::{
    fs,
    path::{Path, PathBuf},
};

use database::{Database, ScopedFutureExt, Tx, engine::meta, events::webhooks as hooks, signing::gpg_keys};

use crate::{
    Caller, Entropy, Error, House, Result, Secrets,
    audit::{entry, record},
    events::webhooks::{mac_place, secret_place},
    fault,
    maintenance::{nodes, site::check_may_administer},
    sealing::SealContext,
    secrets::renew,
    signing::sealed_place,
};

/// The key of `meta` under which the master key is recognised.
pub(crate) const FINGERPRINT: &str = "master_key_fingerprint";

/// The key of `meta` under which the peppers of an earlier master key are sealed.
const PEPPERS: &str = "carried_peppers";

/// Rows that are sealed again together.
const PAGE: i64 = 200;

/// The secrets of a house, whose master key may be about to be replaced.
pub async fn open(db: &Database, path: &Path, entropy: &Entropy) -> Result<Secrets> {
    let known = meta::find(db, FINGERPRINT).await?;
    let next = beside(path, "next");
    if let Some(known) = known.as_ref().filter(|_| next.exists()) {
        let secrets = Secrets::from_file(&next, false, entropy)?;
        if secrets.fingerprint() == *known {
            swap(path, &next)?;
            return Ok(secrets);
        }
    }
    Secrets::from_file(path, known.is_none(), entropy)
}

/// The secrets, with what they carry over from earlier master keys.
pub(crate) async fn carry(db: &Database, secrets: Secrets) -> Result<Secrets> {
    let Some(sealed) = meta::find(db, PEPPERS).await? else { return Ok(secrets) };
    let peppers = secrets.unseal(place(), &sealed)?;
    secrets.with_peppers(&peppers)
}

/// Replaces the master key in this file, while no server runs. Keys, passwords and sessions stay good; signed addresses
/// end, since whoever has the old key could make more of them.
pub async fn rotate(house: &House, caller: &Caller, path: &Path) -> Result<PathBuf> {
    check_may_administer(caller)?;
    let next = beside(path, "next");
    let secrets = &renew(&next, &house.entropy)?;
    fault::point("rotate: key made");
    let log = &entry(house, caller, "site.rotate_master_key", "site", "");
    house
        .db
        .write(|tx| {
            async move {
                seal_again(tx, house, secrets).await?;
                let peppers = secrets.seal(place(), &house.secrets.peppers(), &house.entropy)?;
                meta::set(tx, PEPPERS, &peppers).await?;
                meta::set(tx, FINGERPRINT, &secrets.fingerprint()).await?;
                record(tx, log).await
            }
            .scope_boxed()
        })
        .await?;
    fault::point("rotate: committed");
    swap(path, &next)
}

/// Refuses while servers work on the database, which would go on with the old key. An embedded database has a lock instead.
pub async fn check_stopped(house: &House, caller: &Caller) -> Result<()> {
    let running = nodes::list(house, caller).await?.into_iter().filter(|seen| seen.is_running);
    let names: Vec<String> = running.map(|seen| seen.node.name).collect();
    if names.is_empty() {
        return Ok(());
    }
    Err(Error::Conflict(format!(
        "servers are running ({}); stop all of them first, or wait three minutes after one was killed",
        names.join(", ")
    )))
}

async fn seal_again(tx: &mut Tx, house: &House, to: &Secrets) -> Result<()> {
    let again = |place: SealContext, text: &str| to.seal(place, &house.secrets.unseal(place, text)?, &house.entropy);
    let mut last = i64::MIN;
    loop {
        let page = gpg_keys::list_sealed(tx, last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last = end.id;
        for key in &page {
            gpg_keys::update_sealed(tx, key.id, &again(sealed_place(key.id), &key.text)?).await?;
        }
    }
    last = i64::MIN;
    loop {
        let page = hooks::list_sealed(tx, last, PAGE).await?;
        let Some(end) = page.last() else { return Ok(()) };
        last = end.id;
        for hooks::Sealed { id, mac, secret } in page {
            let (mac, secret) = (again(mac_place(id), &mac)?, again(secret_place(id), &secret)?);
            hooks::update_sealed(tx, &hooks::Sealed { id, mac, secret }).await?;
        }
    }
}

/// Puts the new file in the place of the old one, and returns where the old one is now.
fn swap(path: &Path, next: &Path) -> Result<PathBuf> {
    let problem = |error: std::io::Error| {
        Error::Internal(format!(
            "master key file {}: it could not be replaced by {}: {error}",
            path.display(),
            next.display()
        ))
    };
    let old = match Secrets::from_file(path, false, &Entropy::system()) {
        Ok(secrets) => beside(path, &format!("{}.old", &secrets.fingerprint()[..8])),
        // The file that was there is no key any more.
        Err(_) => beside(path, "old"),
    };
    if path.exists() && !old.exists() {
        fs::hard_link(path, &old).map_err(problem)?;
    }
    fault::point("rotate: old key kept");
    fs::rename(next, path).map_err(problem)?;
    let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    fs::File::open(folder).and_then(|folder| folder.sync_all()).map_err(problem)?;
    Ok(old)
}

/// A file beside the master key's.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    PathBuf::from(name)
}

fn place() -> SealContext {
    SealContext { table: "meta", column: PEPPERS, row: 0 }
}
