//! Lists users, resets their passwords and suspends them.

use model::{
    names::SubjectName,
    subject::{Subject, SubjectKind},
};
use operations::{
    Caller, House,
    accounts::{
        subjects,
        suspension::{self, Suspension},
    },
};

/// Prints one line per user: the name, the plan, the registration, and what is special.
pub(super) async fn list(house: &House, start: &str) -> Result<(), String> {
    let (operator, mut seen) = (Caller::operator(), 0);
    loop {
        let page = subjects::list(house, &operator, start, seen).await.map_err(|error| error.to_string())?;
        if page.items.is_empty() {
            return Ok(());
        }
        seen += page.items.len() as u64;
        page.items.iter().filter(|subject| subject.kind == SubjectKind::User).for_each(print);
    }
}

fn print(user: &Subject) {
    let marks = [(user.is_site_admin, " site-administrator"), (user.is_suspended, " suspended")];
    let marks: String = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    println!("{} {} {}{marks}", user.name, user.plan.as_str(), user.registered);
}

pub(super) async fn reset_password(house: &House, name: &SubjectName) -> Result<(), String> {
    let password = suspension::reset_password(house, &Caller::operator(), name).await;
    println!("{}", password.map_err(|error| error.to_string())?);
    Ok(())
}

pub(super) async fn suspend(house: &House, name: &SubjectName, ends: bool) -> Result<(), String> {
    let to = if ends { Suspension::Active } else { Suspension::Suspended };
    suspension::set(house, &Caller::operator(), name, to).await.map_err(|error| error.to_string())
}
