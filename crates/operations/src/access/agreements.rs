//! What keys for outsiders have to agree to before they download. Users and publishers are not asked.

mod files;
mod signatures;

pub use files::find_of_file;
pub(crate) use files::owed;
pub use signatures::list;

use database::{
    Read,
    access::{
        eula_versions,
        eulas::{self, Eula},
        product_packages,
        products::{self as product_rows, Product},
    },
    catalogue::renderings::Text,
};
use model::names::VersionName;
use signatures::{digest, is_accepted, sign};

use crate::{
    AccessKeyIdentity, Caller, Error, House, Result,
    access::{
        eulas::EulaAddress,
        products::{self, ProductAddress},
    },
    rendering::{self, Html},
};

/// What a key has to agree to, for a page that asks it to.
#[derive(Debug)]
pub struct AgreementTerms {
    /// The product's name for people.
    pub product: String,
    /// The agreement.
    pub eula: Eula,
    /// What it says, as a page shows it.
    pub html: Html,
    /// Whether the key has agreed already.
    pub is_accepted: bool,
    /// What the page's form sends back: nobody else can know it, and it is of this text only.
    pub token: String,
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
    let html = rendering::show(house, Text::Eula(eula.id), &eula.document).await?;
    let token = token(house, key, &eula, version);
    Ok(AgreementTerms { product: product.profile.display_name, eula, html, is_accepted, token })
}

/// Agrees to the text that a page has shown. When it has changed since, the key has not agreed to it.
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

/// The product, for a key of its owner that may read some of it. To all other keys it is not there.
async fn product_of_key<'c>(
    db: &impl Read,
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

/// The agreement that binds a version which the key may read something of. Others are as if the product had none such.
async fn binding(
    db: &impl Read,
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
