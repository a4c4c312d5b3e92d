//! What keys for outsiders have to agree to before they download. Users and publishers are not asked.

use database::{
    Read, ScopedFutureExt,
    downloads::{self as rows, Readable},
    eulas::{self, Eula, Holding},
    products::{self as product_rows, Product},
    signed_eulas::{self, ListedSignature, SignedEula},
};
use model::{
    access::Right, address::RepoAddress, digest::hex, file_path::FilePath, names::VersionName, page::PAGE_SIZE,
};
use sha2::{Digest, Sha256};

use crate::{
    Caller, Error, House, KeyHolder, Page, RepoAccess, Result, access,
    audit::{entry, record},
    downloads::is_below,
    eulas::EulaAddress,
    products::{self, ProductAddress},
};

/// What a key has to agree to, for a page that asks it to.
#[derive(Debug)]
pub struct Terms {
    /// The product's name for people.
    pub product: String,
    /// The agreement.
    pub eula: Eula,
    /// Whether the key has agreed already.
    pub is_accepted: bool,
    /// What the page's form sends back: nobody else can know it, and it is of this text only.
    pub token: String,
}

/// What stands between a caller and a file, when something does. All agreements of the key's owner that bind the file
/// count.
pub(crate) async fn owed(
    house: &House,
    caller: &Caller,
    access: &RepoAccess,
    file: &Readable,
) -> Result<Option<Error>> {
    let Some(key) = caller.key().filter(|_| !access.is_publisher()) else { return Ok(None) };
    let products = eulas::list_products(&house.db, file.version_id).await?;
    let own = products.into_iter().filter(|holding| holding.owner == key.owner.name.as_str());
    for Holding { product_id, owner, product, version } in own {
        let Some(eula) = eulas::find_binding(&house.db, product_id, &version).await? else { continue };
        if !is_accepted(&house.db, key, &eula, &version).await? {
            return Ok(Some(Error::AgreementNeeded { owner, product, version }));
        }
    }
    Ok(None)
}

/// Agrees to the text as it is now, with the credentials of a key.
pub async fn accept(house: &House, caller: &Caller, at: &EulaAddress, version: &VersionName) -> Result<()> {
    let (key, product) = product_of_key(&house.db, caller, &at.product).await?;
    let not_found = || Error::NotFound { what: "EULA", name: at.eula.to_string() };
    let eula = eulas::find(&house.db, product.id, &at.eula).await?.ok_or_else(not_found)?;
    match binding(&house.db, &product, version, key).await? {
        Some(binding) if binding.id == eula.id => sign(house, caller, key, &at.product, version, &eula).await,
        _ => Err(Error::invalid("version", format!("EULA '{}' does not bind version '{version}'", at.eula))),
    }
}

/// The text that binds a version of a product, for a key.
pub async fn show(house: &House, caller: &Caller, at: &ProductAddress, version: &VersionName) -> Result<Terms> {
    let (key, product) = product_of_key(&house.db, caller, at).await?;
    let none = || Error::NotFound { what: "EULA of version", name: version.to_string() };
    let eula = binding(&house.db, &product, version, key).await?.ok_or_else(none)?;
    let is_accepted = is_accepted(&house.db, key, &eula, version.as_str()).await?;
    let token = token(house, key, &eula, version);
    Ok(Terms { product: product.profile.display_name, eula, is_accepted, token })
}

/// Agrees to the text that a page has shown. When it has changed since, the key has not agreed to it.
pub async fn accept_shown(
    house: &House,
    caller: &Caller,
    at: &ProductAddress,
    version: &VersionName,
    given: &str,
) -> Result<Terms> {
    let terms = show(house, caller, at, version).await?;
    let (key, _) = product_of_key(&house.db, caller, at).await?;
    if !house.secrets.is_same(given.as_bytes(), terms.token.as_bytes()) {
        return Err(Error::Conflict("The text has changed since the page was shown; open the page again".into()));
    }
    sign(house, caller, key, at, version, &terms.eula).await?;
    Ok(Terms { is_accepted: true, ..terms })
}

/// Who has agreed to something of a product, newest first. For those who manage its owner.
pub async fn list(house: &House, caller: &Caller, at: &ProductAddress, start: u64) -> Result<Page<ListedSignature>> {
    let product = products::managed(&house.db, caller, at).await?;
    let total = signed_eulas::count(&house.db, product.id).await?.unsigned_abs();
    let bounded = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
    let items = match start < total {
        true => signed_eulas::list(&house.db, product.id, bounded(start), bounded(PAGE_SIZE)).await?,
        false => Vec::new(),
    };
    Ok(Page { items, start, total })
}

/// The agreement that binds a file, with its product, for those who may read the file. Of several, the one of the
/// product whose name comes first.
pub async fn find_of_file(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    path: &FilePath,
) -> Result<(Holding, Eula)> {
    let access = access::file(&house.db, caller, at, path, Right::Read).await?;
    let not_found = || Error::NotFound { what: "File", name: path.to_string() };
    let file = readable(house, caller, &access, path).await?.ok_or_else(not_found)?;
    for holding in eulas::list_products(&house.db, file.version_id).await? {
        if let Some(eula) = eulas::find_binding(&house.db, holding.product_id, &holding.version).await? {
            return Ok((holding, eula));
        }
    }
    Err(Error::NotFound { what: "EULA of file", name: path.to_string() })
}

/// The file at a path that the caller may see: the repository's own, or one of a package that is linked in.
async fn readable(house: &House, caller: &Caller, access: &RepoAccess, path: &FilePath) -> Result<Option<Readable>> {
    let own = rows::find(&house.db, access.repo.id, path).await?;
    if let Some(file) = own.filter(|file| file.published.is_some() || access.is_publisher()) {
        return Ok(Some(file));
    }
    for file in rows::list_linked(&house.db, access.repo.id, path).await? {
        let is_shown = file.path_prefix.as_deref().is_none_or(|prefix| is_below(path.as_str(), prefix));
        if is_shown && access::readable_repo(&house.db, caller, file.repo_id).await?.is_some() {
            return Ok(Some(file));
        }
    }
    Ok(None)
}

/// The product, for a key of its owner that may read some of it. To all other keys it is not there.
async fn product_of_key<'c>(
    db: &impl Read,
    caller: &'c Caller,
    at: &ProductAddress,
) -> Result<(&'c KeyHolder, Product)> {
    caller.check_signed_in()?;
    let not_found = || products::not_found(at);
    let key = caller.key().ok_or_else(|| Error::Denied("Only access keys have to agree to EULAs".into()))?;
    if key.owner.name != at.owner {
        return Err(not_found());
    }
    let product = product_rows::find(db, key.owner.id, &at.product).await?.ok_or_else(not_found)?;
    match product_rows::is_open_to_key(db, product.id, key.id).await? {
        true => Ok((key, product)),
        false => Err(not_found()),
    }
}

/// The agreement that binds a version which the key may read something of. Others are as if the product had none such.
async fn binding(db: &impl Read, product: &Product, version: &VersionName, key: &KeyHolder) -> Result<Option<Eula>> {
    match product_rows::has_version(db, product.id, version, key.id).await? {
        true => Ok(eulas::find_binding(db, product.id, version.as_str()).await?),
        false => Ok(None),
    }
}

async fn is_accepted(db: &impl Read, key: &KeyHolder, eula: &Eula, version: &str) -> Result<bool> {
    let signed = signed_eulas::list_of_key(db, eula.product_id, key.id, version).await?;
    Ok(signed.contains(&digest(eula)))
}

async fn sign(
    house: &House,
    caller: &Caller,
    key: &KeyHolder,
    at: &ProductAddress,
    version: &VersionName,
    eula: &Eula,
) -> Result<()> {
    let log = &entry(house, caller, "eula.accept", at, format!("{} for {version}", eula.name));
    let signed = &SignedEula {
        product_id: eula.product_id,
        key_id: key.id,
        key_name: key.full_name(),
        version: version.to_string(),
        eula_id: eula.id,
        eula: eula.name.to_string(),
        eula_sha256: digest(eula),
        at: log.at,
        address: log.address.clone(),
    };
    house
        .db
        .write(|tx| {
            async move {
                let is_new = match signed_eulas::insert(tx, signed).await {
                    // Deleted while it was being agreed to.
                    Err(database::Error::Missing) => return Err(products::not_found(at)),
                    other => other?,
                };
                if is_new { record(tx, log).await } else { Ok(()) }
            }
            .scope_boxed()
        })
        .await
}

/// What was agreed to is the text: another one has to be agreed to again.
fn digest(eula: &Eula) -> String {
    hex(&Sha256::digest(eula.document.content.as_bytes()))
}

fn token(house: &House, key: &KeyHolder, eula: &Eula, version: &VersionName) -> String {
    house.secrets.form_token(&format!("eula {} {} {} {version}", key.id, eula.product_id, digest(eula)))
}
