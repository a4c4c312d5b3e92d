//! Asks before something that cannot be undone. Forms of such actions have the field `ask`: the script answers it in a
//! dialog and takes it out; without a script, the server answers with a page that repeats the form without it.

use axum::response::Response;
use web::App;

use super::{Form, FormPage};
use crate::visitor::Visitor;

/// The field of a form that asks first.
const ASK: &str = "ask";

/// A question before an action.
#[derive(Debug, PartialEq, Eq)]
struct Question {
    title: &'static str,
    /// What stops working.
    effect: &'static str,
    button: &'static str,
}

/// The questions, by the end or the start of the path of the action.
static QUESTIONS: [(&str, Question); 25] = [
    ("/-/discard/", question("Discard the staged files?", "They are deleted. Published files stay.", "Discard")),
    (
        "/-/unlink/",
        question("Remove this link?", "Clients that download the package from here get an error.", "Remove the link"),
    ),
    (
        "/-/webhooks/",
        question(
            "Delete all webhooks of the package?",
            "Their receivers get no more callbacks.",
            "Delete all webhooks",
        ),
    ),
    (
        "/-/entitlements/",
        question("Delete this entitlement?", "Its access keys lose this access immediately.", "Delete"),
    ),
    (
        "/eulas/",
        question(
            "Delete these terms?",
            "Key holders download the versions without accepting these terms.",
            "Delete the terms",
        ),
    ),
    (
        "/trusted_publishers/",
        question(
            "Delete this trusted publisher?",
            "Builds that it matches can no longer publish.",
            "Delete the publisher",
        ),
    ),
    (
        "/invitations/",
        question("Revoke this invitation?", "Its link stops working immediately.", "Revoke the invitation"),
    ),
    ("/licenses/", question("Delete this licence?", "Packages can no longer name it.", "Delete the licence")),
    ("/entitlements", question("Delete this entitlement?", "Its access keys lose this access immediately.", "Delete")),
    (
        "/-/products/",
        question(
            "Delete this product?",
            "The product and its terms disappear, and access keys lose what they got through it.",
            "Delete the product",
        ),
    ),
    (
        "/api_key",
        question(
            "Create a new API key?",
            "The current key stops working immediately in all programs that use it, and other sessions end.",
            "Create a new API key",
        ),
    ),
    (
        "/members/remove",
        question(
            "Remove this member?",
            "The member loses access to the repositories of the organization immediately.",
            "Remove",
        ),
    ),
    (
        "/repos/remove",
        question("Remove this permission?", "Members of the team lose this access immediately.", "Remove"),
    ),
    (
        "/password",
        question(
            "Generate a new password?",
            "The current password of the key stops working immediately.",
            "Generate a new password",
        ),
    ),
    (
        "/gpg_key/generate",
        question(
            "Replace the signing key?",
            "Existing signatures stay. Clients that trust only the current key refuse new releases.",
            "Generate a key",
        ),
    ),
    (
        "/gpg_key/delete",
        question(
            "Remove the signing key?",
            "From now on, the server signs with its own key, and clients that trust only this key refuse new releases.",
            "Remove the key",
        ),
    ),
    (
        "/access_keys/",
        question("Delete this access key?", "Its holders lose all access immediately.", "Delete the key"),
    ),
    ("/teams/", question("Delete this team?", "Its members lose its permissions immediately.", "Delete the team")),
    (
        "/rotate",
        question(
            "Replace the secret of this token?",
            "The old secret stays valid for one more day.",
            "Replace the secret",
        ),
    ),
    ("/sessions/end_all", question("End these sessions?", "Other browsers have to sign in again.", "End the sessions")),
    (
        "/suspend",
        question(
            "Suspend this user?",
            "The API key, tokens, access keys and sessions stop working immediately. Public packages stay.",
            "Suspend",
        ),
    ),
    (
        "/reset_password",
        question("Reset the password?", "The old password and all sessions end immediately.", "Reset the password"),
    ),
    (
        "/second_factor/reset",
        question(
            "Turn off the second factor?",
            "The password alone signs the user in from now on. All sessions end.",
            "Turn it off",
        ),
    ),
    (
        "/sso/remove",
        question("Remove single sign-on?", "You then sign in with your password or your API key.", "Remove"),
    ),
    ("/revoke", question("Revoke this token?", "Programs that use it lose access immediately.", "Revoke the token")),
];

const fn question(title: &'static str, effect: &'static str, button: &'static str) -> Question {
    Question { title, effect, button }
}

/// The page that asks, if the form wants it.
pub(super) fn page(app: &App, visitor: &Visitor, path: &str, form: &Form) -> Option<Response> {
    if !form.is_checked(ASK) {
        return None;
    }
    let asked = find(path);
    let fields = form.0.iter().filter(|(name, _)| name != ASK && name != "form_token");
    let page = FormPage {
        title: title(asked, path, form),
        lead: asked.effect.to_owned(),
        action: path.to_owned(),
        hidden: fields.cloned().chain([("asked".to_owned(), super::CHECKED.to_owned())]).collect(),
        back: back(path),
        is_danger: true,
        button: asked.button,
        ..FormPage::default()
    };
    Some(page.show(app, visitor))
}

/// The title of the question with the name of what it is about, where the path or the form has it.
fn title(asked: &Question, path: &str, form: &Form) -> String {
    let segment = |before: &str| path.split_once(before).and_then(|(_, rest)| rest.split('/').next());
    let rest = |before: &str| path.strip_prefix(before).filter(|rest| !rest.contains('%'));
    let names = [
        ("the staged files", rest("/-/discard/"), "the staged files of "),
        ("the package", rest("/-/webhooks/"), ""),
        ("this member", Some(form.text("user")).filter(|name| !name.is_empty()), ""),
        ("this access key", segment("/access_keys/"), "the access key "),
        ("this team", segment("/teams/"), "the team "),
    ];
    let named = names.into_iter().find(|(what, ..)| asked.title.contains(what));
    match named {
        Some((what, Some(name), kind)) => asked.title.replace(what, &format!("{kind}{name}")),
        _ => asked.title.to_owned(),
    }
}

fn find(path: &str) -> &'static Question {
    let fits = |part: &str| path.starts_with(part) || path.ends_with(part) || (part.len() > 6 && path.contains(part));
    let found = QUESTIONS.iter().find(|(part, _)| fits(part)).map(|(_, question)| question);
    found.unwrap_or(&QUESTIONS[0].1)
}

/// The page that has the form.
fn back(path: &str) -> String {
    if let Some(version) = path.strip_prefix("/-/discard") {
        return version.to_owned();
    }
    if let Some(link) = path.strip_prefix("/-/unlink/") {
        let repo: Vec<&str> = link.splitn(3, '/').take(2).collect();
        return format!("/{}", repo.join("/"));
    }
    if let Some((tokens, _)) = path.rsplit_once("/tokens/") {
        return format!("{tokens}/tokens");
    }
    if let Some((org, _)) = path.split_once("/invitations/") {
        return org.to_owned();
    }
    if let Some((list, _)) = path.strip_suffix("/delete").and_then(|path| path.rsplit_once('/')) {
        let is_row = ["/eulas", "/licenses", "/trusted_publishers"].iter().any(|end| list.ends_with(end))
            || list.starts_with("/-/products/");
        if is_row {
            return list.to_owned();
        }
    }
    if let Some(account) = path.strip_suffix("/sessions/end_all") {
        return if account == "/account" { "/account/security".to_owned() } else { account.to_owned() };
    }
    let ends = [
        "/suspend",
        "/reset_password",
        "/second_factor/reset",
        "/members/remove",
        "/repos/remove",
        "/api_key",
        "/password",
        "/generate",
        "/delete",
    ];
    ends.into_iter().find_map(|end| path.strip_suffix(end)).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_names_what_it_is_about() {
        let ask = |path: &str, form| title(find(path), path, &form);
        let bob = Form::with([("user", "bob".to_owned())]);
        assert_eq!(ask("/-/orgs/acme/members/remove", bob), "Remove bob?");
        assert_eq!(ask("/-/orgs/acme/members/remove", Form::default()), "Remove this member?");
        assert_eq!(ask("/-/users/ada/access_keys/guest/delete", Form::default()), "Delete the access key guest?");
        assert_eq!(ask("/-/orgs/acme/teams/devs/delete", Form::default()), "Delete the team devs?");
        assert_eq!(ask("/account/api_key", Form::default()), "Create a new API key?");
        assert_eq!(ask("/-/discard/a/b/c/1", Form::default()), "Discard the staged files of a/b/c/1?");
        assert_eq!(ask("/-/discard/a/b/c%3Ad/1", Form::default()), "Discard the staged files?");
        assert_eq!(ask("/-/webhooks/a/b/c", Form::default()), "Delete all webhooks of a/b/c?");
    }

    #[test]
    fn every_question_fits_its_action() {
        for (path, button, page) in [
            ("/-/discard/a/b/c/1", "Discard", "/a/b/c/1"),
            ("/-/unlink/a/b/c/d/e", "Remove the link", "/a/b"),
            ("/account/api_key", "Create a new API key", "/account"),
            ("/-/admin/users/ada/api_key", "Create a new API key", "/-/admin/users/ada"),
            ("/-/orgs/acme/members/remove", "Remove", "/-/orgs/acme"),
            ("/-/orgs/acme/teams/devs/repos/remove", "Remove", "/-/orgs/acme/teams/devs"),
            ("/-/orgs/acme/teams/devs/delete", "Delete the team", "/-/orgs/acme/teams/devs"),
            ("/-/users/ada/access_keys/guest/delete", "Delete the key", "/-/users/ada/access_keys/guest"),
            ("/-/users/ada/access_keys/guest/password", "Generate a new password", "/-/users/ada/access_keys/guest"),
            ("/-/users/ada/tokens/7/rotate", "Replace the secret", "/-/users/ada/tokens"),
            ("/-/orgs/acme/tokens/7/revoke", "Revoke the token", "/-/orgs/acme/tokens"),
            ("/-/users/ada/gpg_key/delete", "Remove the key", "/-/users/ada/gpg_key"),
            ("/-/users/ada/gpg_key/generate", "Generate a key", "/-/users/ada/gpg_key"),
            ("/account/sessions/end_all", "End the sessions", "/account/security"),
            ("/-/admin/users/ada/sessions/end_all", "End the sessions", "/-/admin/users/ada"),
            ("/-/admin/users/ada/suspend", "Suspend", "/-/admin/users/ada"),
            ("/-/admin/users/ada/reset_password", "Reset the password", "/-/admin/users/ada"),
            ("/-/admin/users/ada/second_factor/reset", "Turn it off", "/-/admin/users/ada"),
            ("/-/products/ada/suite/delete", "Delete the product", "/-/products/ada"),
            ("/-/products/ada/suite/entitlements", "Delete", "/-/products/ada/suite/entitlements"),
            ("/-/products/ada/suite/eulas/terms/delete", "Delete the terms", "/-/products/ada/suite/eulas"),
            ("/-/users/ada/licenses/own/delete", "Delete the licence", "/-/users/ada/licenses"),
            ("/-/users/ada/trusted_publishers/7/delete", "Delete the publisher", "/-/users/ada/trusted_publishers"),
            ("/-/orgs/acme/invitations/7/revoke", "Revoke the invitation", "/-/orgs/acme"),
            ("/-/webhooks/a/b/c", "Delete all webhooks", "/-/webhooks/a/b/c"),
        ] {
            assert_eq!((find(path).button, back(path).as_str()), (button, page), "{path}");
        }
    }
}
