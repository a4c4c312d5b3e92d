//! Replaces the master key.
//!
//! A new key is written next to the file of the old one. One transaction then seals every secret again under the new
//! key, carries over the peppers that hashes depend on, and stores the fingerprint of the new key. Last, the new file
//! replaces the old one, which is kept under another name because earlier backups need it. A process may stop between
//! any two of these steps. Before the transaction, the old key is valid and nothing has changed. After it, the next
//! process that opens the house finds the new file and completes the replacement.

use std::{
    fs,
    path::{Path, PathBuf},
};

use database::{
    Database, ScopedFutureExt, Tx,
    accounts::second_factors,
    engine::meta,
    events::webhooks as hooks,
    signing::{gpg_keys, usign_keys},
};
use model::id::SubjectId;

use crate::{
    Caller, Entropy, Error, House, Result, Secrets,
    accounts::second_factors::place as second_factor_place,
    audit::{entry, record},
    events::webhooks::{mac_place, secret_place},
    fault,
    maintenance::{nodes, site::check_may_administer},
    sealing::SealContext,
    secrets::renew,
    signing::{sealed_place, usign},
};

/// The key in `meta` of the master key's fingerprint.
pub(crate) const FINGERPRINT: &str = "master_key_fingerprint";

/// The key in `meta` of the sealed peppers of an earlier master key.
const PEPPERS: &str = "carried_peppers";

/// The number of rows sealed again at once.
const PAGE: i64 = 200;

/// Opens the secrets of a house. Completes an interrupted replacement of the master key.
#[boxed::future]
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

/// Adds the peppers that are carried over from earlier master keys.
pub(crate) async fn carry(db: &Database, secrets: Secrets) -> Result<Secrets> {
    let Some(sealed) = meta::find(db, PEPPERS).await? else { return Ok(secrets) };
    let peppers = secrets.unseal(place(), &sealed)?;
    secrets.with_peppers(&peppers)
}

/// Replaces the master key in this file, while no node runs. Keys, passwords and sessions stay valid. Signed URLs
/// become invalid, because the old key could be used to sign more of them.
#[boxed::future]
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

/// Fails while nodes use the database, because they would continue with the old key. An embedded database has a lock
/// instead.
#[boxed::future]
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
        let page = usign_keys::list(tx, last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last = end.id;
        for key in &page {
            usign_keys::update_sealed(tx, key.id, &again(usign::place(key.id), &key.sealed_seed)?).await?;
        }
    }
    last = i64::MIN;
    loop {
        let page = second_factors::list_sealed(tx, last, PAGE).await?;
        let Some(end) = page.last() else { break };
        last = end.id;
        for factor in &page {
            let sealed = again(second_factor_place(SubjectId::new(factor.id)), &factor.text)?;
            second_factors::update_sealed(tx, factor.id, &sealed).await?;
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

/// Replaces the old file with the new one, and returns the new path of the old one.
fn swap(path: &Path, next: &Path) -> Result<PathBuf> {
    let problem = |error: std::io::Error| {
        Error::Internal(format!(
            "master key file {}: replacing it by {} failed: {error}",
            path.display(),
            next.display()
        ))
    };
    let old = match Secrets::from_file(path, false, &Entropy::system()) {
        Ok(secrets) => beside(path, &format!("{}.old", &secrets.fingerprint()[..8])),
        // The existing file is not a valid key.
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

/// Returns the path of a file next to the master key.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{suffix}"));
    PathBuf::from(name)
}

fn place() -> SealContext {
    SealContext { table: "meta", column: PEPPERS, row: 0 }
}
