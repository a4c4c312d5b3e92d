//! Agreements that key holders have to accept before they download. Users and publishers do not have to accept them.

mod files;
mod signatures;

pub use files::{VersionTerms, find_of_file};
pub(crate) use files::{list_of_version, owed};
pub use signatures::list;

use database::{
    Read,
    access::{eula_versions, eulas, product_packages, products as product_rows},
    catalogue::renderings::RenderedText,
};
use model::{eula::Eula, names::VersionName, product::Product};
use signatures::{digest, is_accepted, sign};

use crate::{
    AccessKeyIdentity, Caller, Error, House, Result,
    access::{
        eulas::EulaAddress,
        products::{self, ProductAddress},
    },
    rendering::{self, Html},
};

/// The agreement that a key has to accept, for the page that asks for it.
#[derive(Debug)]
pub struct AgreementTerms {
    /// The product's name for people.
    pub product: String,
    /// The agreement.
    pub eula: Eula,
    /// Its text as HTML.
    pub html: Html,
    /// Whether the key has already accepted it.
    pub is_accepted: bool,
    /// The token that the page's form sends back: it cannot be guessed, and is valid for this text only.
    pub token: String,
}

/// Accepts the current text, with the credentials of a key.
#[boxed::future]
pub async fn accept(house: &House, caller: &Caller, at: &EulaAddress, version: &VersionName) -> Result<()> {
    let (key, product) = product_of_key(&house.db, caller, &at.product).await?;
    let not_found = || Error::NotFound { what: "EULA", name: at.eula.to_string() };
    let eula = eulas::find(&house.db, product.id, &at.eula).await?.ok_or_else(not_found)?;
    match binding(&house.db, &product, version, key).await? {
        Some(binding) if binding.id == eula.id => sign(house, caller, key, &at.product, version, &eula).await,
        _ => Err(Error::invalid("version", format!("EULA '{}' does not bind version '{version}'", at.eula))),
    }
}

/// Returns the text that binds a version of a product, for a key.
#[boxed::future]
pub async fn show(
    house: &House,
    caller: &Caller,
    at: &ProductAddress,
    version: &VersionName,
) -> Result<AgreementTerms> {
    let (key, product) = product_of_key(&house.db, caller, at).await?;
    let none = || Error::NotFound { what: "EULA of version", name: version.to_string() };
    let eula = binding(&house.db, &product, version, key).await?.ok_or_else(none)?;
    let is_accepted = is_accepted(&house.db, key, &eula, version.as_str()).await?;
    let html = rendering::show(house, RenderedText::Eula(eula.id), &eula.document).await?;
    let token = token(house, key, &eula, version);
    Ok(AgreementTerms { product: product.title().to_owned(), eula, html, is_accepted, token })
}

/// Accepts the text that a page has shown. If the text has changed since, it does not count as accepted.
#[boxed::future]
pub async fn accept_shown(
    house: &House,
    caller: &Caller,
    at: &ProductAddress,
    version: &VersionName,
    given: &str,
) -> Result<AgreementTerms> {
    let terms = show(house, caller, at, version).await?;
    let (key, _) = product_of_key(&house.db, caller, at).await?;
    if !house.secrets.is_same(given.as_bytes(), terms.token.as_bytes()) {
        return Err(Error::Conflict("The text has changed since the page was shown; open the page again".into()));
    }
    sign(house, caller, key, at, version, &terms.eula).await?;
    Ok(AgreementTerms { is_accepted: true, ..terms })
}

/// Returns the product, for a key of its owner that may read some of it. For all other keys it does not exist.
async fn product_of_key<'c>(
    db: &dyn Read,
    caller: &'c Caller,
    at: &ProductAddress,
) -> Result<(&'c AccessKeyIdentity, Product)> {
    caller.check_signed_in()?;
    let not_found = || products::not_found(at);
    let key = caller.key().ok_or_else(|| Error::Denied("Only access keys have to agree to EULAs".into()))?;
    if key.owner.name != at.owner {
        return Err(not_found());
    }
    let product = product_rows::find(db, key.owner.id, &at.product).await?.ok_or_else(not_found)?;
    if product_packages::is_open_to_key(db, product.id, key.id).await? { Ok((key, product)) } else { Err(not_found()) }
}

/// Returns the agreement that binds a version of which the key may read something. For other versions the answer is the
/// same as if the product had no such agreement.
async fn binding(
    db: &dyn Read,
    product: &Product,
    version: &VersionName,
    key: &AccessKeyIdentity,
) -> Result<Option<Eula>> {
    if !product_packages::has_version(db, product.id, version, key.id).await? {
        return Ok(None);
    }
    Ok(eula_versions::find_binding(db, product.id, version.as_str()).await?)
}

fn token(house: &House, key: &AccessKeyIdentity, eula: &Eula, version: &VersionName) -> String {
    house.secrets.form_token(&format!("eula {} {} {} {version}", key.id, eula.product_id, digest(eula)))
}
