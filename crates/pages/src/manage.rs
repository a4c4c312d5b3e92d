//! Pages that create, change, fill, publish and delete objects of the catalogue.
//!
//! Each path is an action followed by the path of its object, below `/-`. A form loads its initial values with the
//! right that its change needs, so that visitors only see forms that they may submit.

mod acceptances;
mod attribute_values;
mod attributes;
mod deletion;
mod document;
mod eulas;
mod file;
mod follow;
mod license_offers;
mod licenses;
mod links;
mod logs;
mod package;
mod package_fields;
mod products;
mod repo;
mod repo_fields;
mod restrictions;
mod settings_nav;
mod signed_url;
mod staged;
mod upload;
mod upload_form;
mod version;

use axum::Router;
use web::{
    App,
    boxed::{form, get, post, put},
};

/// The routes of these pages.
pub(crate) fn routes() -> Router<App> {
    const REPO: &str = "/{subject}/{repo}";
    const PACKAGE: &str = "/{subject}/{repo}/{package}";
    const VERSION: &str = "/{subject}/{repo}/{package}/{version}";
    let at = |action: &str, of: &str| format!("/-/{action}{of}");
    Router::new()
        .route("/-/new/repo/{subject}", form(repo::show_new, repo::create))
        .route(&at("new/package", REPO), form(package::show_new, package::create))
        .route(&at("new/version", PACKAGE), form(version::show_new, version::create))
        .route(&at("edit/repo", REPO), form(repo::show_edit, repo::edit))
        .route(&at("edit/package", PACKAGE), form(package::show_edit, package::edit))
        .route(&at("edit/version", VERSION), form(version::show_edit, version::edit))
        .route(&at("edit/readme", PACKAGE), form(document::show_readme, document::set_readme))
        .route(&at("edit/notes", PACKAGE), form(document::show_notes, document::set_notes))
        .route(&at("edit/notes", VERSION), form(document::show_notes, document::set_notes))
        .route(&at("attributes/package", PACKAGE), form(attributes::show, attributes::change))
        .route(&at("attributes/version", VERSION), form(attributes::show, attributes::change))
        .route(&at("delete/repo", REPO), form(deletion::show, deletion::delete))
        .route(&at("delete/package", PACKAGE), form(deletion::show, deletion::delete))
        .route(&at("delete/version", VERSION), form(deletion::show, deletion::delete))
        .route(&at("delete/file", &format!("{REPO}/{{*file_path}}")), form(deletion::show, deletion::delete))
        .route(&at("upload", VERSION), post(upload_form::upload_form))
        .route(&at("upload", &format!("{VERSION}/{{*file_path}}")), put(upload::upload_file))
        .route(&at("publish", VERSION), post(staged::publish))
        .route(&at("discard", VERSION), post(staged::discard))
        .route(&at("sign", VERSION), post(staged::sign))
        .route(&at("signed-url", &format!("{REPO}/{{*file_path}}")), form(signed_url::show, signed_url::create))
        .route(&at("link", PACKAGE), form(links::show, links::create))
        .route(
            &at("unlink", &format!("{REPO}/{{source_subject}}/{{source_repo}}/{{source_package}}")),
            post(links::delete),
        )
        .route(&at("restrictions", REPO), form(restrictions::show, restrictions::edit))
        .route(&at("logs", PACKAGE), get(logs::show))
        .route(&at("logs", &format!("{PACKAGE}/{{log_name}}")), get(logs::read))
        .route("/-/follow/{subject}", post(follow::subject))
        .route(&at("follow", PACKAGE), post(follow::package))
        .route(&at("rate", PACKAGE), post(follow::rate))
        .merge(products_and_licenses())
}

fn products_and_licenses() -> Router<App> {
    let products = Router::new()
        .route("/-/products/{subject}", form(products::show, products::create))
        .route("/-/products/{subject}/{product}", form(products::show_edit, products::edit))
        .route("/-/products/{subject}/{product}/delete", post(products::delete))
        .route("/-/products/{subject}/{product}/acceptances", get(acceptances::show))
        .route("/-/products/{subject}/{product}/eulas", form(eulas::show, eulas::create))
        .route("/-/products/{subject}/{product}/eulas/{eula}", form(eulas::show_edit, eulas::edit))
        .route("/-/products/{subject}/{product}/eulas/{eula}/delete", post(eulas::delete));
    ["/-/users/{user}", "/-/orgs/{org}"].into_iter().fold(products, |router, account| {
        router
            .route(&format!("{account}/licenses"), form(licenses::show, licenses::create))
            .route(&format!("{account}/licenses/{{license}}"), form(licenses::show_edit, licenses::edit))
            .route(&format!("{account}/licenses/{{license}}/delete"), post(licenses::delete))
    })
}
