//! The products of a subject: lists, creates, changes and deletes them.

use axum::{extract::State, response::Response};
use model::{
    names::{ProductName, SubjectName},
    subject::SubjectKind,
};
use operations::access::products::{self, ProductAddress, ProductChange, ProductDetail};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::settings_nav;
use crate::{
    address,
    band::{Band, SubjectPages},
    form::{Field, Form, FormPage, Row, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The page of a subject's products.
fn list_page(owner: &SubjectName) -> String {
    address::path(["-", "products", owner.as_str()])
}

/// The page of a product.
pub(super) fn page_of(at: &ProductAddress) -> String {
    address::path(["-", "products", at.owner.as_str(), at.product.as_str()])
}

/// The head of the pages of products.
pub(super) async fn band(app: &App, visitor: &Visitor, owner: &SubjectName) -> Result<Band> {
    let is_own = visitor.caller.user().is_some_and(|own| own.name == *owner);
    let kind = if is_own { SubjectKind::User } else { SubjectKind::Org };
    Ok(Band::of_subject(owner, SubjectPages::managed(app, visitor, kind, owner).await?).at("Products"))
}

/// Lists the products, with the form for a new one.
pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let owner = path.subject("subject")?;
    Ok(list_form(&app, &visitor, &owner, &Form::default()).await?.show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let owner = path.subject("subject")?;
    let created = async {
        let product = ProductName::parse(form.trimmed("name")?);
        let product = product.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
        let at = ProductAddress { owner: owner.clone(), product };
        products::create(app.house(), &visitor.caller, &at, change(&form)?).await?;
        Ok::<_, Failure>(at)
    };
    match created.await {
        Ok(at) => Ok(notice::redirect(&app, &visitor, &page_of(&at), Notice::success("The product has been created."))),
        Err(failure) => list_form(&app, &visitor, &owner, &form).await?.refused(&app, &visitor, failure),
    }
}

/// The form of a product.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.product_address()?;
    let form = stored(&products::show(app.house(), &visitor.caller, &at).await?);
    Ok(edit_form(&app, &visitor, &at, &form).await?.show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.product_address()?;
    let edited = async { Ok::<_, Failure>(products::edit(app.house(), &visitor.caller, &at, change(&form)?).await?) };
    match edited.await {
        Ok(()) => Ok(notice::redirect(&app, &visitor, &page_of(&at), Notice::success("The product has been changed."))),
        Err(failure) => edit_form(&app, &visitor, &at, &form).await?.refused(&app, &visitor, failure),
    }
}

pub(super) async fn delete(Submitted { app, visitor, path, .. }: Submitted) -> Result<Response> {
    let at = path.product_address()?;
    products::delete(app.house(), &visitor.caller, &at).await?;
    Ok(notice::redirect(&app, &visitor, &list_page(&at.owner), Notice::success("The product has been deleted.")))
}

fn stored(detail: &ProductDetail) -> Form {
    let (product, packages) = (&detail.product.profile, detail.packages.join("\n"));
    Form::with([
        ("display_name", product.display_name.clone()),
        ("desc", product.description.clone()),
        ("website_url", product.website_url.clone().unwrap_or_default()),
        ("vcs_url", product.vcs_url.clone().unwrap_or_default()),
        ("packages", packages),
        ("sign_url_expiry", product.sign_url_expiry.map(|secs| secs.to_string()).unwrap_or_default()),
    ])
}

fn change(form: &Form) -> Result<ProductChange> {
    Ok(ProductChange {
        display_name: Some(form.trimmed("display_name")?.to_owned()),
        description: Some(form.text("desc").to_owned()),
        website_url: Some(form.optional("website_url")?),
        vcs_url: Some(form.optional("vcs_url")?),
        packages: Some(form.lines("packages")),
        sign_url_expiry: Some(form.number("sign_url_expiry")?),
    })
}

fn fields(form: &Form) -> Vec<Field> {
    vec![
        Field::line("display_name", "Display name", form.text("display_name")),
        Field::text("desc", "Description", form.text("desc")),
        Field::list("packages", "Packages", form.text("packages")).hint("One per line, as repository/package."),
        Field::line("website_url", "Website", form.text("website_url")),
        Field::line("vcs_url", "Source repository", form.text("vcs_url")),
        Field::line("sign_url_expiry", "Lifetime of signed URLs in seconds", form.text("sign_url_expiry"))
            .hint("Empty for the usual lifetime."),
    ]
}

async fn list_form(app: &App, visitor: &Visitor, owner: &SubjectName, form: &Form) -> Result<FormPage> {
    let listed = products::list(app.house(), &visitor.caller, owner).await?;
    let row = |product: model::product::ListedProduct| {
        let page = address::path(["-", "products", owner.as_str(), &product.name]);
        Row {
            detail: Some(product.display_name).filter(|title| *title != product.name).unwrap_or_default(),
            remove: format!("{page}/delete"),
            button: "Delete",
            asks: "The product and its terms disappear, and access keys lose what they got through it.",
            name: product.name,
            edit: page,
        }
    };
    let mut all = vec![Field::line("name", "Name", form.text("name")).required().hint("You cannot change it later.")];
    all.extend(fields(form));
    Ok(FormPage {
        band: band(app, visitor, owner).await?,
        title: "Products".to_owned(),
        lead: "A product is a set of packages that you give to access keys together, with terms to accept.".to_owned(),
        back: address::path([owner.as_str()]),
        action: list_page(owner),
        rows_title: "Current products",
        rows: listed.into_iter().map(row).collect(),
        new_title: "New product",
        button: "Create product",
        fields: all,
        ..FormPage::default()
    })
}

async fn edit_form(app: &App, visitor: &Visitor, at: &ProductAddress, form: &Form) -> Result<FormPage> {
    Ok(FormPage {
        band: band(app, visitor, &at.owner).await?,
        nav: settings_nav::of_product(at, "General"),
        title: at.product.to_string(),
        back: list_page(&at.owner),
        action: page_of(at),
        button: "Save",
        fields: fields(form),
        ..FormPage::default()
    })
}
