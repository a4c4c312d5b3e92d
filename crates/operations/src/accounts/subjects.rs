//! All users and organizations, for site administrators, and their full names for everyone who may see a profile.

use database::accounts::subjects;
use model::{
    access::Action,
    names::SubjectName,
    page::{PAGE_SIZE, PageRequest},
    prefix::NameRange,
    subject::{Subject, SubjectKind},
    text,
};

use crate::{Caller, Error, House, Page, Result, access};

/// Lists a page of those whose names begin with a text, ignoring letter case, or those with this e-mail address.
#[boxed::future]
pub async fn list(house: &House, caller: &Caller, beginning: &str, start: u64) -> Result<Page<Subject>> {
    access::check_site(caller, Action::Administer)?;
    if beginning.contains('@') {
        let items = subjects::list_by_email(&house.db, beginning).await?;
        return Ok(Page {
            total: items.len() as u64,
            items: items.into_iter().skip(usize::try_from(start).unwrap_or(usize::MAX)).collect(),
            start,
        });
    }
    let names = NameRange::beginning_with(&text::fold(beginning));
    let window = PageRequest { start: start.cast_signed(), limit: PAGE_SIZE.cast_signed() };
    let total = subjects::count(&house.db, &names).await?.unsigned_abs();
    let items = if start < total { subjects::list(&house.db, &names, window).await? } else { Vec::new() };
    Ok(Page { items, start, total })
}

/// Returns the full name of a user or an organization whose profile the caller may see.
#[boxed::future]
pub async fn show_full_name(house: &House, caller: &Caller, kind: SubjectKind, name: &SubjectName) -> Result<String> {
    Ok(access::account(&house.db, caller, kind, name, Action::SeeProfile).await?.full_name)
}

/// Returns one of them.
#[boxed::future]
pub async fn show(house: &House, caller: &Caller, name: &SubjectName) -> Result<Subject> {
    access::check_site(caller, Action::Administer)?;
    let not_found = || Error::NotFound { what: "Subject", name: name.to_string() };
    subjects::find(&house.db, name).await?.ok_or_else(not_found)
}
