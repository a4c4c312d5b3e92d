//! From where the files of a repository may be downloaded: networks and countries.

use axum::{extract::State, response::Response};
use model::{
    access::{Countries, Country, Restrictions, Right},
    address::RepoAddress,
};
use operations::{
    RepoAccess,
    access::restrictions::{self, RestrictionLists},
    catalogue::repos,
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::settings_nav;
use crate::{
    address,
    band::Band,
    form::{Field, Form, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

const ANY: &str = "from all countries";
const ONLY: &str = "only from these countries";
const ALL_BUT: &str = "from all but these countries";

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.repo_address()?;
    let access = repos::show_for(app.house(), &visitor.caller, &at, Right::Own).await?;
    let form = stored(&restrictions::show(app.house(), &visitor.caller, &at).await?);
    Ok(page(&at, &access, &form).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.repo_address()?;
    let access = repos::show_for(app.house(), &visitor.caller, &at, Right::Own).await?;
    match store(&app, &visitor, &at, &form).await {
        Ok(()) => {
            let saved = Notice::success("The rules for downloads have been changed.");
            Ok(notice::redirect(&app, &visitor, &address::repo(&at), saved))
        }
        Err(failure) => page(&at, &access, &form).refused(&app, &visitor, failure),
    }
}

/// Stores what has changed: rules by country need a plan, others do not.
async fn store(app: &App, visitor: &Visitor, at: &RepoAddress, form: &Form) -> Result<()> {
    let (house, caller) = (app.house(), &visitor.caller);
    let before = stored(&restrictions::show(house, caller, at).await?);
    let is_changed = |field: &str| before.lines(field) != form.lines(field);
    if is_changed("white_networks") || is_changed("black_networks") {
        let lists = RestrictionLists { white: form.lines("white_networks"), black: form.lines("black_networks") };
        if lists.white.is_empty() && lists.black.is_empty() {
            restrictions::delete_networks(house, caller, at).await?;
        } else {
            restrictions::set_networks(house, caller, at, &lists).await?;
        }
    }
    if !is_changed("rule") && !is_changed("countries") {
        return Ok(());
    }
    let (listed, none) = (form.lines("countries"), Vec::new());
    match form.text("rule") {
        ONLY => {
            let lists = RestrictionLists { white: listed, black: none };
            restrictions::set_countries(house, caller, at, &lists).await?;
        }
        ALL_BUT => {
            let lists = RestrictionLists { white: none, black: listed };
            restrictions::set_countries(house, caller, at, &lists).await?;
        }
        ANY if listed.is_empty() => restrictions::delete_countries(house, caller, at).await?,
        ANY => return Err(Failure::bad_request("rule: choose what the listed countries mean")),
        _ => return Err(Failure::bad_request("rule: it is not one of the choices")),
    }
    Ok(())
}

fn stored(found: &Restrictions) -> Form {
    let codes = |list: &[Country]| list.iter().map(|country| country.as_str()).collect::<Vec<_>>().join("\n");
    let (rule, countries) = match &found.countries {
        Some(Countries::White(list)) => (ONLY, codes(list)),
        Some(Countries::Black(list)) => (ALL_BUT, codes(list)),
        None => (ANY, String::new()),
    };
    let joined = |list: &[_]| list.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    Form::with([
        ("white_networks", joined(&found.networks.white)),
        ("black_networks", joined(&found.networks.black)),
        ("rule", rule.to_owned()),
        ("countries", countries),
    ])
}

fn page(at: &RepoAddress, access: &RepoAccess, form: &Form) -> FormPage {
    let rules =
        [(ANY, "From all countries"), (ONLY, "Only from these countries"), (ALL_BUT, "From all but these countries")];
    FormPage {
        band: Band::of_repo(at, access).at("Settings"),
        nav: settings_nav::of_repo(at, "Download rules"),
        back: address::repo(at),
        title: "Download rules".to_owned(),
        lead: "Downloads from elsewhere are refused, for everybody and with every key.".to_owned(),
        action: format!("/-/restrictions{}", address::repo(at)),
        button: "Save",
        fields: vec![
            Field::list("white_networks", "Only from these networks", form.text("white_networks"))
                .hint("One per line, such as 192.0.2.0/24. Empty for all networks."),
            Field::list("black_networks", "Not from these networks", form.text("black_networks"))
                .hint("One per line. They are refused even if they are in the list above."),
            Field::titled_choice("rule", "Countries", rules, form.text("rule")),
            Field::list("countries", "These countries", form.text("countries"))
                .hint("One per line, as codes of two letters, such as FR."),
        ],
        ..FormPage::default()
    }
}
