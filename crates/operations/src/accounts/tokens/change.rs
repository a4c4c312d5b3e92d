//! The fields of a token that are set at creation and can be changed later.

use ipnet::IpNet;
use model::{
    access::{Networks, Scope},
    timestamp::Timestamp,
    token::{NAME_CHARACTERS, RESOURCES, Resource, TokenTerms},
};

use crate::{Error, House, Result, change::Edits};

/// The latest possible expiry of a token, in the year 9999.
const LAST_EXPIRY: i64 = 253_402_300_799_999;

/// Changes to a token. Absent fields stay as they are.
#[derive(Debug, Clone, Default)]
pub struct TokenChange {
    /// Its name.
    pub name: Option<String>,
    /// The names of its scopes.
    pub scopes: Option<Vec<String>>,
    /// Its resources; everywhere if `None`.
    pub resources: Option<Option<Vec<String>>>,
    /// Its expiry, in milliseconds.
    pub expiry: Option<Option<i64>>,
    /// The networks it may be used from; all if empty.
    pub cidrs: Option<Vec<String>>,
}

impl TokenChange {
    /// Returns the terms of a new token, which needs a name and scopes.
    pub(super) fn new_terms(&self, house: &House) -> Result<TokenTerms> {
        let (name, scopes) = (String::new(), Vec::new());
        let mut terms = TokenTerms { name, scopes, resources: None, expiry: None, cidrs: Vec::new() };
        if self.name.is_none() {
            return Err(Error::invalid("name", "it is required"));
        }
        if self.scopes.is_none() {
            return Err(Error::invalid("scopes", format!("name at least one of {}", scope_names())));
        }
        self.apply(house, &mut terms, &mut Edits::default())?;
        Ok(terms)
    }

    /// Applies the changes to the stored terms.
    pub(super) fn apply(&self, house: &House, terms: &mut TokenTerms, edits: &mut Edits) -> Result<()> {
        if let Some(name) = &self.name {
            edits.set("name", &mut terms.name, &Some(check_name(name)?));
        }
        let before = terms.clone();
        if let Some(scopes) = &self.scopes {
            terms.scopes = parse_scopes(scopes)?;
        }
        if let Some(resources) = &self.resources {
            terms.resources = resources.as_ref().map(|list| parse_resources(list)).transpose()?;
        }
        let expiry = self.expiry.map(|expiry| expiry.map(|at| check_expiry(house, at)).transpose()).transpose()?;
        edits.set("expiry", &mut terms.expiry, &expiry);
        if let Some(cidrs) = &self.cidrs {
            terms.cidrs = parse_cidrs(cidrs)?;
        }
        edits.record_texts("scopes", &scopes(&before), &scopes(terms));
        edits.record_texts("resources", &resources(&before), &resources(terms));
        edits.record_texts("cidrs", &cidrs(&before), &cidrs(terms));
        Ok(())
    }
}

/// The terms of a new token in the audit log.
pub(super) fn summary(terms: &TokenTerms) -> String {
    let expiry = terms.expiry.map_or_else(|| "never".to_owned(), |at| at.to_string());
    let parts =
        [("scopes", scopes(terms)), ("resources", resources(terms)), ("expiry", expiry), ("cidrs", cidrs(terms))];
    parts.map(|(name, text)| format!("{name}: {text}")).join("; ")
}

fn scopes(terms: &TokenTerms) -> String {
    terms.scopes.iter().map(|scope| scope.as_str()).collect::<Vec<_>>().join(" ")
}

fn resources(terms: &TokenTerms) -> String {
    let Some(resources) = &terms.resources else { return "everywhere".to_owned() };
    resources.iter().map(Resource::to_string).collect::<Vec<_>>().join(", ")
}

fn cidrs(terms: &TokenTerms) -> String {
    if terms.cidrs.is_empty() {
        return "all".to_owned();
    }
    terms.cidrs.iter().map(IpNet::to_string).collect::<Vec<_>>().join(" ")
}

fn check_name(name: &str) -> Result<String> {
    let is_good = !name.is_empty() && name.trim() == name && !name.chars().any(char::is_control);
    if is_good && name.chars().count() <= NAME_CHARACTERS {
        return Ok(name.to_owned());
    }
    let reason = format!("it must have 1 to {NAME_CHARACTERS} printable characters, without blanks around them");
    Err(Error::invalid("name", reason))
}

fn parse_scopes(names: &[String]) -> Result<Vec<Scope>> {
    let mut scopes = Vec::new();
    for name in names {
        let shown: String = name.chars().take(40).collect();
        let unknown = || Error::invalid("scopes", format!("'{shown}' is not one of {}", scope_names()));
        let scope = Scope::parse(name).ok_or_else(unknown)?;
        if !scopes.contains(&scope) {
            scopes.push(scope);
        }
    }
    if scopes.is_empty() {
        return Err(Error::invalid("scopes", format!("name at least one of {}", scope_names())));
    }
    Ok(scopes)
}

fn scope_names() -> String {
    Scope::ALL.map(Scope::as_str).join(", ")
}

fn parse_resources(texts: &[String]) -> Result<Vec<Resource>> {
    if texts.is_empty() || texts.len() > RESOURCES {
        return Err(Error::invalid("resources", format!("name 1 to {RESOURCES} of them, or none for everywhere")));
    }
    let mut resources = Vec::new();
    for text in texts {
        let resource = Resource::parse(text).ok_or_else(|| unknown_resource(text))?;
        if !resources.contains(&resource) {
            resources.push(resource);
        }
    }
    Ok(resources)
}

/// The error for a resource that does not exist, or that the caller may not know of.
pub(super) fn unknown_resource(text: &str) -> Error {
    let shown: String = text.chars().take(100).collect();
    Error::invalid("resources", format!("'{shown}' is not a subject, repository or package"))
}

fn check_expiry(house: &House, expiry: i64) -> Result<Timestamp> {
    if (house.clock.now().millis() + 1..=LAST_EXPIRY).contains(&expiry) {
        Ok(Timestamp::from_millis(expiry))
    } else {
        Err(Error::invalid("expiry", "it must be a future time, in milliseconds since 1970"))
    }
}

fn parse_cidrs(cidrs: &[String]) -> Result<Vec<IpNet>> {
    let parsed = Networks::parse(cidrs, &[]).map_err(|error| Error::invalid("cidrs", error.reason))?;
    Ok(parsed.white)
}
