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

/// Prints a head, and one line per user: the name, the plan, the registration, and what is special.
pub(super) async fn list(house: &House, start: &str) -> Result<(), String> {
    let (operator, mut seen, mut width) = (Caller::operator(), 0, None);
    loop {
        let page = subjects::list(house, &operator, start, seen).await.map_err(|error| error.to_string())?;
        if page.items.is_empty() {
            return Ok(());
        }
        seen += page.items.len() as u64;
        let users: Vec<&Subject> = page.items.iter().filter(|subject| subject.kind == SubjectKind::User).collect();
        if width.is_none() && !users.is_empty() {
            let widest = users.iter().map(|user| user.name.as_str().len()).max().unwrap_or_default().max(4);
            println!("{:widest$} {:10} {:24} STATE", "NAME", "PLAN", "REGISTERED");
            width = Some(widest);
        }
        users.into_iter().for_each(|user| print(user, width.unwrap_or_default()));
    }
}

fn print(user: &Subject, width: usize) {
    let marks = [(user.is_site_admin, "site-administrator"), (user.is_suspended, "suspended")];
    let marks: Vec<&str> = marks.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
    let registered = user.registered.to_string();
    let line = format!("{:width$} {:10} {registered:24} {}", user.name.as_str(), user.plan.as_str(), marks.join(" "));
    println!("{}", line.trim_end());
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
