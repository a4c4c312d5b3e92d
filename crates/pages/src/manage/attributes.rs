//! The page of a package's or a version's attributes: each can be changed and removed, and one can be added.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    attribute::{Attribute, AttributeType},
};
use operations::{
    PackageAccess,
    catalogue::{
        attributes::{self, AttributeSelection, AttributeTarget},
        packages, versions,
    },
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{
    attribute_values::{read, written},
    settings_nav,
};
use crate::{
    address::{self, query_value},
    band::Band,
    browse::attributes::shown_attribute,
    form::{Field, Form, FormPage, Row, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The choice that detects the type from the values.
const DETECT: &str = "detect from the values";
const TYPES: [&str; 6] = [DETECT, "string", "number", "boolean", "date", "version"];

/// Shows the page. With `name` in the query, the form starts with that attribute.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let object = object(&path)?;
    let (access, all) = all(&app, &visitor, &object).await?;
    let wanted = path.query("name")?.unwrap_or_default();
    let form = match all.iter().find(|attribute| attribute.name() == wanted) {
        Some(attribute) => Form::with([
            ("name", attribute.name().to_owned()),
            ("type", attribute.kind().as_str().to_owned()),
            ("values", written(attribute)),
        ]),
        None => Form::with([("type", DETECT.to_owned())]),
    };
    Ok(form_page(&object, &access, &all, &form).show(&app, &visitor))
}

/// Stores an attribute, or removes the one that `remove` names.
pub(super) async fn change(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let object = object(&path)?;
    let (access, all) = all(&app, &visitor, &object).await?;
    let changed = match form.text("remove") {
        "" => store(&app, &visitor, &object, &form).await.map(|()| "The attribute has been saved."),
        name => {
            let names = AttributeSelection::Some(vec![name.to_owned()]);
            let removed = attributes::delete(app.house(), &visitor.caller, &object, &names).await;
            removed.map(|()| "The attribute has been removed.").map_err(Failure::from)
        }
    };
    match changed {
        Ok(text) => Ok(notice::redirect(&app, &visitor, &address_of(&object), Notice::success(text))),
        Err(failure) => form_page(&object, &access, &all, &form).refused(&app, &visitor, failure),
    }
}

/// All attributes, for those who may change them.
async fn all(app: &App, visitor: &Visitor, object: &AttributeTarget) -> Result<(PackageAccess, Vec<Attribute>)> {
    let (house, caller) = (app.house(), &visitor.caller);
    let access = match object {
        AttributeTarget::Package(at) => packages::show_for(house, caller, at, Right::Publish).await?,
        AttributeTarget::Version(at) => versions::show_for(house, caller, at, Right::Publish).await?.package,
    };
    Ok((access, attributes::list(house, caller, object, &AttributeSelection::All).await?))
}

async fn store(app: &App, visitor: &Visitor, object: &AttributeTarget, form: &Form) -> Result<()> {
    let kind = AttributeType::parse(form.text("type"));
    if kind.is_none() && form.text("type") != DETECT {
        return Err(Failure::bad_request(format!("type: it is not one of {}", TYPES.join(", "))));
    }
    let attribute = Attribute::new(form.trimmed("name")?, read(kind, form.text("values"))?, kind);
    let attribute = attribute.map_err(Failure::bad_request)?;
    attributes::edit(app.house(), &visitor.caller, object, vec![attribute]).await?;
    Ok(())
}

fn object(path: &PathNames) -> Result<AttributeTarget> {
    Ok(if path.has("version") {
        AttributeTarget::Version(path.version_address()?)
    } else {
        AttributeTarget::Package(path.package_address()?)
    })
}

fn address_of(object: &AttributeTarget) -> String {
    match object {
        AttributeTarget::Package(at) => format!("/-/attributes/package{}", address::package(at)),
        AttributeTarget::Version(at) => format!("/-/attributes/version{}", address::version(at)),
    }
}

fn type_title(name: &'static str) -> &'static str {
    if name == DETECT { "Detect from the values" } else { name }
}

fn form_page(object: &AttributeTarget, access: &PackageAccess, all: &[Attribute], form: &Form) -> FormPage {
    let (band, nav, back) = match object {
        AttributeTarget::Package(at) => (
            Band::of_package(at, access).at("Settings"),
            settings_nav::of_package(at, "Attributes"),
            address::package(at),
        ),
        AttributeTarget::Version(at) => (
            Band::of_version(at, access).at("Versions"),
            settings_nav::of_version(at, "Attributes"),
            address::version(at),
        ),
    };
    let action = address_of(object);
    let row = |attribute: &Attribute| {
        let shown = shown_attribute(attribute);
        Row {
            edit: format!("{action}?name={}", query_value(&shown.name)),
            detail: format!("{}: {}", shown.kind, shown.values),
            name: shown.name,
            remove: action.clone(),
            button: "Remove",
            asks: "",
        }
    };
    FormPage {
        band,
        nav,
        back,
        title: "Attributes".to_owned(),
        rows_title: "Current attributes",
        rows: all.iter().map(row).collect(),
        new_title: "Add or change an attribute",
        button: "Save",
        fields: vec![
            Field::line("name", "Name", form.text("name"))
                .hint("An existing attribute gets these values. Only publishers see names that begin with _.")
                .required(),
            Field::titled_choice("type", "Type", TYPES.map(|name| (name, type_title(name))), form.text("type")),
            Field::text("values", "Values", form.text("values"))
                .hint("One per line, or a JSON list. Write dates as 2026-01-31T12:00:00Z. Empty means null."),
        ],
        action,
        ..FormPage::default()
    }
}
