//! The plans of subjects.

use database::{ScopedFutureExt, accounts::subjects};
use model::{access::Action, names::SubjectName, plan::Plan};

use crate::{
    Caller, Error, House, Result, access,
    audit::{entry, record_edits},
    change::Edits,
};

/// Sets the plan of a user or an organization.
#[boxed::future]
pub async fn set(house: &House, caller: &Caller, name: &SubjectName, plan: Plan) -> Result<()> {
    access::check_site(caller, Action::Administer)?;
    let not_found = || Error::NotFound { what: "Subject", name: name.to_string() };
    let subject = &subjects::find(&house.db, name).await?.ok_or_else(not_found)?;
    let log = &entry(house, caller, "plan.set", name, "");
    house
        .db
        .write(|tx| {
            async move {
                let before = subjects::lock(tx, subject.id).await?.ok_or_else(not_found)?.plan;
                subjects::update_plan(tx, subject.id, plan).await?;
                let mut edits = Edits::default();
                edits.record_set("plan", &before, &plan);
                record_edits(tx, log, &edits).await
            }
            .scope_boxed()
        })
        .await
}
