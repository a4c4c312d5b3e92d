//! The lines that set up a client, with a new token of the visitor filled in.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{
    access::{Right, Scope},
    address::{PackageAddress, RepoAddress},
    subject::SubjectKind,
    timestamp::Timestamp,
};
use operations::{
    RepoAccess,
    accounts::tokens::{self, TokenChange, TokenOwner},
    catalogue::{packages, repos},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    commands::{self, Command},
    package_parts,
};
use crate::{
    address,
    band::Band,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::Notice,
    visitor::Visitor,
};

/// The lifetimes of a token to choose from, in days.
const DAYS: [i64; 4] = [7, 30, 90, 365];

/// The lifetime that is chosen at first, in days.
const USUAL_DAYS: i64 = 90;

const DAY_MS: i64 = 24 * 60 * 60 * 1000;

#[derive(Template)]
#[template(path = "browse/setup.html")]
struct Page {
    layout: Layout,
    band: Band,
    title: String,
    address: String,
    /// The page with these lines, and with placeholders.
    back: String,
    /// Whether the lines have placeholders for credentials.
    is_private: bool,
    may_publish: bool,
    days: [i64; 4],
    usual_days: i64,
    commands: Vec<Command>,
    commands_title: &'static str,
    /// Nothing: this page has the form itself.
    setup: String,
    /// The name of the new token.
    made: String,
    /// Its secret. Lines that only read a public repository do not contain it.
    secret: String,
}

/// What the lines are for.
struct Place {
    at: RepoAddress,
    package: Option<PackageAddress>,
    access: RepoAccess,
    band: Band,
    commands: Vec<Command>,
}

impl Place {
    async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<Self> {
        // Tokens belong to users.
        visitor.user_name()?;
        let (house, caller, at) = (app.house(), &visitor.caller, path.repo_address()?);
        if !path.has("package") {
            let access = repos::show(house, caller, &at).await?;
            let commands = commands::of_repo(app, visitor, &at, &access.repo);
            return Ok(Self { band: Band::of_repo(&at, &access), at, package: None, access, commands });
        }
        let package = path.package_address()?;
        let detail = packages::show(house, caller, &package).await?;
        let (commands, _) = package_parts::commands_of(app, visitor, &package, &detail, "").await?;
        let band = Band::of_package(&package, &detail.access);
        Ok(Self { band, at, package: Some(package), access: detail.access.repo, commands })
    }

    fn own_page(&self) -> String {
        self.package.as_ref().map_or_else(|| address::repo(&self.at), address::package)
    }

    fn page(self, app: &App, visitor: &Visitor, notice: Option<Notice>, made: Option<(String, String)>) -> Response {
        let (user, back) = (visitor.caller.name().unwrap_or_default(), self.own_page());
        let (made, secret) = made.unwrap_or_default();
        let commands = if made.is_empty() {
            self.commands
        } else {
            self.commands.into_iter().map(|line| filled(line, &user, &secret)).collect()
        };
        let layout = visitor.layout(app).with_notice(notice);
        let page = Page {
            title: back.trim_start_matches('/').to_owned(),
            address: address::setup(&back),
            is_private: self.access.repo.profile.is_private && made.is_empty(),
            may_publish: self.access.right >= Right::Publish && self.package.is_none(),
            days: DAYS,
            usual_days: USUAL_DAYS,
            commands_title: "Lines for your client",
            setup: String::new(),
            layout: layout.clone(),
            band: self.band,
            commands,
            back,
            made,
            secret,
        };
        render(&layout, &page)
    }
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    Ok(Place::find(&app, &visitor, &path).await?.page(&app, &visitor, None, None))
}

/// Creates a token for the repository, and shows the lines with its secret.
pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let place = Place::find(&app, &visitor, &path).await?;
    match new_token(&app, &visitor, &place, &form).await {
        Ok(made) => {
            let notice = Notice::success("The token has been created.");
            Ok(place.page(&app, &visitor, Some(notice), Some(made)))
        }
        Err(failure) => Ok(place.page(&app, &visitor, Some(Notice::from_failure(failure)?), None)),
    }
}

/// Returns the name and the secret of a new token.
async fn new_token(app: &App, visitor: &Visitor, place: &Place, form: &Form) -> Result<(String, String)> {
    let unknown = |field| Failure::bad_request(format!("{field}: it is not one of those to choose from"));
    let scope = [Scope::Read, Scope::Publish].into_iter().find(|scope| scope.as_str() == form.text("scope"));
    let scope = scope.ok_or_else(|| unknown("scope"))?;
    let days = form.number("days")?.filter(|days| DAYS.contains(days)).ok_or_else(|| unknown("days"))?;
    let now = app.house().clock.now();
    let repo = format!("{}/{}", place.at.owner, place.at.repo);
    let change = TokenChange {
        name: Some(name_of(place.own_page().trim_start_matches('/'), now)),
        scopes: Some(vec![scope.as_str().to_owned()]),
        resources: Some(Some(vec![repo])),
        expiry: Some(Some(now.millis() + days * DAY_MS)),
        cidrs: None,
    };
    let owner = TokenOwner { kind: SubjectKind::User, name: visitor.user_name()? };
    let (token, secret) = tokens::create(app.house(), &visitor.caller, &owner, &change).await?;
    Ok((token.terms.name, secret.expose().to_owned()))
}

/// The name of a new token: what it is for, and when it was created.
fn name_of(page: &str, now: Timestamp) -> String {
    let page: String = page.chars().take(60).collect();
    format!("{page} {}", now.to_string().replace('T', " ").trim_end_matches('Z'))
}

/// The lines with the name and the secret of the token instead of the placeholders.
fn filled(line: Command, user: &str, secret: &str) -> Command {
    let text = ["NAME:API_KEY", ">NAME<", "'NAME'"]
        .into_iter()
        .fold(line.text, |text, place| text.replace(place, &place.replace("NAME", user)));
    let mut made = String::with_capacity(text.len() + secret.len());
    let mut rest = text.as_str();
    while let Some(place) = rest.find("API_KEY") {
        let before = &rest[..place];
        // The names of variables of clients end like this, too.
        let is_variable = before.ends_with('_') && !before.ends_with("YOUR_");
        made.push_str(before.strip_suffix("YOUR_").unwrap_or(before));
        made.push_str(if is_variable { "API_KEY" } else { secret });
        rest = &rest[place + "API_KEY".len()..];
    }
    made.push_str(rest);
    Command { text: made, ..line }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_takes_the_place_of_the_placeholders() {
        let fill = |text: &str| {
            let line = Command { id: String::new(), title: String::new(), text: text.to_owned() };
            filled(line, "ada", "s3").text
        };
        assert_eq!(fill("curl -u NAME:API_KEY -T NAME_1.deb"), "curl -u ada:s3 -T NAME_1.deb");
        assert_eq!(fill("--user ada:YOUR_API_KEY"), "--user ada:s3");
        assert_eq!(fill("GEM_HOST_API_KEY=API_KEY gem push"), "GEM_HOST_API_KEY=s3 gem push");
        assert_eq!(fill("<username>NAME</username><password>API_KEY<"), "<username>ada</username><password>s3<");
        assert_eq!(fill("no credentials"), "no credentials");
    }
}
