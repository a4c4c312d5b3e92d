//! The terms of a product that key holders accept before they download: lists, creates, changes and deletes them.

use axum::{extract::State, response::Response};
use model::{document::Syntax, names::EulaName};
use operations::access::{
    eulas::{self, EulaAddress, EulaChange, EulaDetail},
    products::{self, ProductAddress},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    document::SYNTAXES,
    products::{band, page_of},
    settings_nav,
};
use crate::{
    address,
    form::{Field, Form, FormPage, Row, Submitted, checked},
    notice::{self, Notice},
    sizes,
    visitor::Visitor,
};

fn list_page(at: &ProductAddress) -> String {
    format!("{}/eulas", page_of(at))
}

fn eula_page(at: &ProductAddress, name: &str) -> String {
    format!("{}{}", list_page(at), address::path([name]))
}

/// Lists the terms, with the form for new ones.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (at, form) = (path.product_address()?, Form::with([("syntax", SYNTAXES[0].0.to_owned())]));
    Ok(list_form(&app, &visitor, &at, &form).await?.show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.product_address()?;
    let created = async {
        let eula = EulaName::parse_new(form.trimmed("name")?);
        let eula = eula.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
        let at = EulaAddress { product: at.clone(), eula };
        eulas::create(app.house(), &visitor.caller, &at, change(&form)?).await?;
        Ok::<_, Failure>(())
    };
    match created.await {
        Ok(()) => {
            Ok(notice::redirect(&app, &visitor, &list_page(&at), Notice::success("The terms have been created.")))
        }
        Err(failure) => list_form(&app, &visitor, &at, &form).await?.refused(&app, &visitor, failure),
    }
}

/// The form of existing terms.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.eula_address()?;
    let form = stored(&eulas::show(app.house(), &visitor.caller, &at).await?);
    Ok(edit_form(&app, &visitor, &at, &form).await?.show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.eula_address()?;
    let edited = async { Ok::<_, Failure>(eulas::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => {
            let saved = Notice::success("The terms have been changed. A changed text has to be accepted again.");
            Ok(notice::redirect(&app, &visitor, &list_page(&at.product), saved))
        }
        Err(failure) => edit_form(&app, &visitor, &at, &form).await?.refused(&app, &visitor, failure),
    }
}

pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = path.eula_address()?;
    eulas::delete(app.house(), &visitor.caller, &at).await?;
    Ok(notice::redirect(&app, &visitor, &list_page(&at.product), Notice::success("The terms have been deleted.")))
}

fn stored(detail: &EulaDetail) -> Form {
    Form::with([
        ("syntax", detail.eula.document.syntax.as_str().to_owned()),
        ("content", detail.eula.document.content.clone()),
        ("default", checked(detail.eula.is_default)),
        ("versions", detail.versions.join("\n")),
    ])
}

fn change(form: &Form) -> Result<EulaChange> {
    let unknown =
        || Failure::bad_request(format!("syntax: it is not one of {}", SYNTAXES.map(|(name, _)| name).join(", ")));
    Ok(EulaChange {
        syntax: Some(Syntax::parse(form.text("syntax")).ok_or_else(unknown)?),
        content: Some(form.text("content").to_owned()),
        is_default: Some(form.is_checked("default")),
        versions: Some(form.lines("versions")),
    })
}

fn fields(form: &Form) -> Vec<Field> {
    vec![
        Field::titled_choice("syntax", "Format", SYNTAXES, form.text("syntax")),
        Field::document("content", "Text", form.text("content")),
        Field::check("default", "For all versions that no other terms name", form.is_checked("default")),
        Field::list("versions", "Versions", form.text("versions")),
    ]
}

async fn list_form(app: &App, visitor: &Visitor, at: &ProductAddress, form: &Form) -> Result<FormPage> {
    let row = |detail: EulaDetail| {
        let page = eula_page(at, detail.eula.name.as_str());
        let named = sizes::counted(detail.versions.len() as u64, "version");
        Row {
            name: detail.eula.name.to_string(),
            detail: if detail.eula.is_default { "For all other versions".to_owned() } else { named },
            remove: format!("{page}/delete"),
            button: "Delete",
            asks: "Key holders download the versions without accepting these terms.",
            edit: page,
        }
    };
    let listed = eulas::list(app.house(), &visitor.caller, at).await?;
    let product = products::show(app.house(), &visitor.caller, at).await?.product;
    let mut all = vec![Field::line("name", "Name", form.text("name")).required()];
    all.extend(fields(form));
    Ok(FormPage {
        band: band(app, visitor, &at.owner).await?,
        nav: settings_nav::of_product(at, "Terms"),
        title: format!("Terms of {}", product.title()),
        lead: "Key holders accept the terms of a version once, before they download it.".to_owned(),
        back: page_of(at),
        action: list_page(at),
        rows_title: "Current terms",
        rows: listed.into_iter().map(row).collect(),
        new_title: "New terms",
        button: "Create terms",
        fields: all,
        ..FormPage::default()
    })
}

async fn edit_form(app: &App, visitor: &Visitor, at: &EulaAddress, form: &Form) -> Result<FormPage> {
    Ok(FormPage {
        band: band(app, visitor, &at.product.owner).await?,
        nav: settings_nav::of_product(&at.product, "Terms"),
        title: at.eula.to_string(),
        back: list_page(&at.product),
        action: eula_page(&at.product, at.eula.as_str()),
        button: "Save",
        fields: fields(form),
        ..FormPage::default()
    })
}
