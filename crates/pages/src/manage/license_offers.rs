//! What the form of a package offers for a licence that the list does not have: its name there, or a custom licence.

use model::{license, names::LicenseName, names::SubjectName, spdx, subject::SubjectKind};
use operations::{
    Error,
    catalogue::licenses::{self, LicenseAddress, LicenseChange},
};
use web::{App, error::Result};

use crate::{
    form::{Field, Form},
    visitor::Visitor,
};

/// The field with the licences, and the one with the custom licences.
const LISTED: &str = "licenses";
const CUSTOM: &str = "custom_licenses";

/// The input that adds a licence.
const ADDED: &str = "add_licenses";

/// The button that was pressed: `use` or `custom`, and the licence.
const OFFER: &str = "offer";

/// The licences of the list, each with its other names: a browser offers one when any of them is typed.
pub(super) fn items() -> Vec<(&'static str, String)> {
    let item = |license: &'static license::License| {
        let names = spdx::names_of(license.name).chain([license.long_name]).collect::<Vec<_>>();
        (license.name, names.join(", "))
    };
    license::LICENSES.iter().map(item).collect()
}

/// Adds the offers for licences that are not in the list to the field, after it was refused.
pub(super) fn add(fields: &mut [Field], form: &Form, message: &str) {
    if !message.contains("icense") {
        return;
    }
    let unknown = form.lines(LISTED).into_iter().filter(|name| license::find(name).is_none());
    let offers = unknown.map(|name| match spdx::counterpart(&name) {
        Some(known) => (format!("use {name}"), format!("Use {known}")),
        None => (format!("custom {name}"), format!("Make {name} a custom licence")),
    });
    if let Some(field) = fields.iter_mut().find(|field| field.name == LISTED) {
        field.offers = offers.collect();
        if field.error.is_empty() && !field.offers.is_empty() {
            "Choose what to do about the licences that the list does not have".clone_into(&mut field.error);
        }
    }
}

/// The form after the button of an offer was pressed: the licence has the name of the list, or is a custom one, which is
/// created if it does not exist.
pub(super) async fn take(app: &App, visitor: &Visitor, owner: &SubjectName, form: Form) -> Result<Form> {
    let form = with_added(form)?;
    let Some((act, name)) = form.text(OFFER).split_once(' ').map(|(act, name)| (act.to_owned(), name.to_owned()))
    else {
        return Ok(form);
    };
    let mut listed = form.lines(LISTED);
    let Some(place) = listed.iter().position(|line| *line == name) else { return Ok(form) };
    match (act.as_str(), spdx::counterpart(&name)) {
        ("use", Some(known)) => known.clone_into(&mut listed[place]),
        ("custom", None) => {
            listed.remove(place);
            create(app, visitor, owner, &name).await?;
        }
        _ => return Ok(form),
    }
    let mut custom = form.lines(CUSTOM);
    if act == "custom" && !custom.contains(&name) {
        custom.push(name);
    }
    Ok(form.replaced(LISTED, listed.join("\n")).replaced(CUSTOM, custom.join("\n")))
}

/// The form with the licence of the input that adds one in the list. Without a script, it is still in its own input.
fn with_added(form: Form) -> Result<Form> {
    let added = form.trimmed(ADDED)?.to_owned();
    let mut listed = form.lines(LISTED);
    if !added.is_empty() && !listed.contains(&added) {
        listed.push(added);
    }
    Ok(form.replaced(LISTED, listed.join("\n")).replaced(ADDED, String::new()))
}

async fn create(app: &App, visitor: &Visitor, owner: &SubjectName, name: &str) -> Result<()> {
    let is_own = visitor.caller.user().is_some_and(|user| user.name == *owner);
    let kind = if is_own { SubjectKind::User } else { SubjectKind::Org };
    let license = LicenseName::parse_new(name).map_err(|error| Error::invalid("licenses", error.to_string()))?;
    let at = LicenseAddress { kind, owner: owner.clone(), license };
    match licenses::create(app.house(), &visitor.caller, &at, LicenseChange::default()).await {
        // It exists already.
        Err(Error::Conflict(_)) => Ok(()),
        other => Ok(other.map(|_| ())?),
    }
}
