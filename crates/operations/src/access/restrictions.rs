//! Restrictions on the origin of downloads from a repository, by country and by network. For its owners.

use database::{ScopedFutureExt, access::restrictions};
use model::{
    access::{Countries, Country, Networks, Restrictions, Right, parse_network},
    address::RepoAddress,
    audit::NewAuditRecord,
    plan::Plan,
};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record_edits},
    change::Edits,
};

/// The maximum number of entries of one list.
const ENTRIES: usize = 1_000;

/// Allowed and blocked entries, as submitted.
#[derive(Debug, Clone, Default)]
pub struct RestrictionLists {
    /// Only these are allowed, if the list is not empty.
    pub white: Vec<String>,
    /// These are blocked.
    pub black: Vec<String>,
}

/// Networks to add and to remove.
#[derive(Debug, Clone, Default)]
pub struct NetworkChange {
    /// The networks to add.
    pub add: RestrictionLists,
    /// The networks to remove, if present.
    pub remove: RestrictionLists,
}

/// Returns the restrictions of a repository.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, at: &RepoAddress) -> Result<Restrictions> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    Ok(restrictions::find(&house.db, repo.id).await?)
}

/// Allows downloads from some countries only, or from all but some. Returns the new restrictions, like the other
/// setters.
#[boxed::future]
pub async fn set_countries(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    lists: &RestrictionLists,
) -> Result<Countries> {
    let repo = access::repo(&house.db, caller, at, Right::Own).await?.repo;
    access::check_plan(repo.plan, Plan::Enterprise)?;
    let countries = &countries(lists)?;
    let log = &entry(house, caller, "geo_restrictions.set", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                access::check_plan(repo.plan, Plan::Enterprise)?;
                let before = restrictions::find(tx, repo.id).await?.countries;
                restrictions::set_countries(tx, repo.id, Some(countries)).await?;
                record_edits(tx, log, &country_edits(before.as_ref(), Some(countries))).await
            }
            .scope_boxed()
        })
        .await?;
    Ok(countries.clone())
}

/// Allows downloads from all countries. No plan is needed, so that owners who have lost their plan can still lift
/// restrictions.
#[boxed::future]
pub async fn delete_countries(house: &House, caller: &Caller, at: &RepoAddress) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = &entry(house, caller, "geo_restrictions.delete", at, "");
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                let before = restrictions::find(tx, repo.id).await?.countries;
                restrictions::set_countries(tx, repo.id, None).await?;
                record_edits(tx, log, &country_edits(before.as_ref(), None)).await
            }
            .scope_boxed()
        })
        .await
}

/// Allows downloads from some networks only, or blocks some.
#[boxed::future]
pub async fn set_networks(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    lists: &RestrictionLists,
) -> Result<Networks> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let networks = networks(lists)?;
    // A list with a mistyped name must not lift restrictions.
    if networks == Networks::default() {
        return Err(Error::invalid("white_cidrs", "it or black_cidrs must name a network"));
    }
    check_networks(&networks)?;
    let log = entry(house, caller, "ip_restrictions.set", at, "");
    write_networks(house, caller, at, &log, |_| networks.clone()).await
}

/// Adds and removes networks.
#[boxed::future]
pub async fn edit_networks(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    change: &NetworkChange,
) -> Result<Networks> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let (add, remove) = (networks(&change.add)?, networks(&change.remove)?);
    let log = entry(house, caller, "ip_restrictions.edit", at, "");
    write_networks(house, caller, at, &log, |mut kept| {
        kept.white.retain(|network| !remove.white.contains(network));
        kept.black.retain(|network| !remove.black.contains(network));
        kept.white.extend_from_slice(&add.white);
        kept.black.extend_from_slice(&add.black);
        kept
    })
    .await
}

/// Allows downloads from all networks.
#[boxed::future]
pub async fn delete_networks(house: &House, caller: &Caller, at: &RepoAddress) -> Result<()> {
    access::repo(&house.db, caller, at, Right::Own).await?;
    let log = entry(house, caller, "ip_restrictions.delete", at, "");
    write_networks(house, caller, at, &log, |_| Networks::default()).await.map(|_| ())
}

async fn write_networks(
    house: &House,
    caller: &Caller,
    at: &RepoAddress,
    log: &NewAuditRecord,
    change: impl Fn(Networks) -> Networks + Send + Sync,
) -> Result<Networks> {
    let change = &change;
    house
        .db
        .write(|tx| {
            async move {
                let repo = access::lock_repo(tx, caller, at, Right::Own).await?.repo;
                let before = restrictions::find(tx, repo.id).await?.networks;
                let mut networks = change(before.clone());
                for list in [&mut networks.white, &mut networks.black] {
                    list.sort_unstable();
                    list.dedup();
                }
                check_networks(&networks)?;
                restrictions::set_networks(tx, repo.id, &networks).await?;
                let mut edits = Edits::default();
                edits.record("white_cidrs", &before.white, &networks.white);
                edits.record("black_cidrs", &before.black, &networks.black);
                record_edits(tx, log, &edits).await?;
                Ok(networks)
            }
            .scope_boxed()
        })
        .await
}

fn countries(lists: &RestrictionLists) -> Result<Countries> {
    let parse = |field: &'static str, codes: &[String]| -> Result<Vec<Country>> {
        let unknown = |code: &str| Error::invalid(field, format!("'{}' is not a country of ISO 3166-1", shown(code)));
        let mut list =
            codes.iter().map(|code| Country::parse(code).ok_or_else(|| unknown(code))).collect::<Result<Vec<_>>>()?;
        list.sort_unstable();
        list.dedup();
        Ok(list)
    };
    let (white, black) = (parse("white_list", &lists.white)?, parse("black_list", &lists.black)?);
    match (white.is_empty(), black.is_empty()) {
        (false, true) => Ok(Countries::White(white)),
        (true, false) => Ok(Countries::Black(black)),
        // A list with a mistyped name must not lift restrictions.
        (true, true) => Err(Error::invalid("white_list", "it or black_list must name a country")),
        (false, false) => Err(Error::invalid("black_list", "there can be a white_list or a black_list, not both")),
    }
}

fn networks(lists: &RestrictionLists) -> Result<Networks> {
    let parse = |field: &'static str, texts: &[String]| {
        let bad = |text: &str| Error::invalid(field, format!("'{}' is not a network such as 10.0.0.0/8", shown(text)));
        texts.iter().map(|text| parse_network(text).ok_or_else(|| bad(text))).collect::<Result<Vec<_>>>()
    };
    Ok(Networks { white: parse("white_cidrs", &lists.white)?, black: parse("black_cidrs", &lists.black)? })
}

fn check_networks(networks: &Networks) -> Result<()> {
    for (field, list) in [("white_cidrs", &networks.white), ("black_cidrs", &networks.black)] {
        if list.len() > ENTRIES {
            return Err(Error::invalid(field, format!("there are more than {ENTRIES}")));
        }
    }
    match networks.white.iter().find(|network| networks.black.contains(network)) {
        Some(both) => Err(Error::invalid("black_cidrs", format!("'{both}' is in white_cidrs, too"))),
        None => Ok(()),
    }
}

/// Returns the changes to the countries, for the audit log.
fn country_edits(before: Option<&Countries>, after: Option<&Countries>) -> Edits {
    let codes = |list: &[Country]| list.iter().map(|country| country.as_str().to_owned()).collect::<Vec<_>>();
    let lists = |countries: Option<&Countries>| match countries {
        None => (Vec::new(), Vec::new()),
        Some(Countries::White(list)) => (codes(list), Vec::new()),
        Some(Countries::Black(list)) => (Vec::new(), codes(list)),
    };
    let (before, after) = (lists(before), lists(after));
    let mut edits = Edits::default();
    edits.record("white_list", &before.0, &after.0);
    edits.record("black_list", &before.1, &after.1);
    edits
}

fn shown(text: &str) -> String {
    text.chars().take(60).collect()
}
