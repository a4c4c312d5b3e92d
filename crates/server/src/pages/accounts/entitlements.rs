//! What access keys are given in a repository, a package, a version or a product.

use askama::Template;
use axum::{extract::State, response::Response};
use operations::access::entitlements::{
    self, EntitlementAddress, EntitlementChange, EntitlementDetail, ListChange, ProductAddress, access_name,
};

use crate::{
    App,
    error::{Failure, Result},
    pages::{
        address,
        forms::Form,
        posted::Submitted,
        said::{Said, back, render_said},
        shell::Layout,
        steps::Pager,
        visitor::Visitor,
    },
    path_names::PathNames,
};

#[derive(Template)]
#[template(path = "entitlements.html")]
struct Page {
    shell: Layout,
    said: Said,
    /// What they are about, and where that is.
    about: (String, String),
    address: String,
    /// Whether a path can be given.
    has_path: bool,
    /// Each with what it allows.
    entitlements: Vec<(&'static str, EntitlementDetail)>,
    steps: Pager,
}

/// Where a page of entitlements is, and what it is about.
struct EntitlementContext {
    place: EntitlementAddress,
    about: (String, String),
    address: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &spot(&path)?, path.start_position()?, Said::on(&path)?).await
}

async fn page(app: &App, visitor: &Visitor, spot: &EntitlementContext, start: u64, said: Said) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let listed = entitlements::list(house, caller, &spot.place, start).await?;
    let mut shown = Vec::with_capacity(listed.items.len());
    for id in &listed.items {
        let entitlement = entitlements::show(house, caller, &spot.place, id).await?;
        let access = if access_name(entitlement.right) == "rw" { "read and publish" } else { "read" };
        shown.push((access, entitlement));
    }
    let (shell, status) = (visitor.shell(app), said.status);
    let page = Page {
        about: spot.about.clone(),
        address: spot.address.clone(),
        has_path: matches!(spot.place, EntitlementAddress::Repo(_)),
        steps: Pager::new(&spot.address, &[], start, shown.len(), listed.total),
        entitlements: shown,
        shell: shell.clone(),
        said,
    };
    Ok(render_said(status, &shell, &page))
}

/// Gives something, or takes it away.
pub(super) async fn change(Submitted { app, visitor, path, form }: Submitted<Form>) -> Result<Response> {
    let spot = spot(&path)?;
    let done = match form.given("delete")? {
        Some(id) => entitlements::delete(app.house(), &visitor.caller, &spot.place, id).await.map_err(Failure::from),
        None => create(&app, &visitor, &spot, &form).await,
    };
    match Said::of(done)? {
        None => Ok(back(&spot.address)),
        Some(said) => page(&app, &visitor, &spot, 0, said).await,
    }
}

async fn create(app: &App, visitor: &Visitor, spot: &EntitlementContext, form: &Form) -> Result<()> {
    let access = form.field("access")?;
    let unknown = || Failure::bad_request(format!("access: '{access}' is not one of r, rw"));
    let all = |name| -> Result<ListChange> { Ok(ListChange { all: Some(form.lines(name)?), ..ListChange::default() }) };
    let change = EntitlementChange {
        right: Some(entitlements::parse_access(access).ok_or_else(unknown)?),
        path: form.given("path")?.map(|path| Some(path.to_owned())),
        access_keys: all("access_keys")?,
        tags: all("tags")?,
    };
    entitlements::create(app.house(), &visitor.caller, &spot.place, change).await?;
    Ok(())
}

/// What the address names, as far down as it does.
fn spot(path: &PathNames) -> Result<EntitlementContext> {
    if path.has("product") {
        let (owner, product) = (path.subject("subject")?, path.product()?);
        let about = (format!("product {owner}/{product}"), address::path([owner.as_str()]));
        let address = address::path(["-", "products", owner.as_str(), product.as_str(), "entitlements"]);
        return Ok(EntitlementContext {
            place: EntitlementAddress::Product(ProductAddress { owner, product }),
            about,
            address,
        });
    }
    let (place, name, page) = match path {
        _ if path.has("version") => {
            let at = path.version_address()?;
            let (name, page) = (at.to_string(), address::version(&at));
            (EntitlementAddress::Version(at), name, page)
        }
        _ if path.has("package") => {
            let at = path.package_address()?;
            let (name, page) = (at.to_string(), address::package(&at));
            (EntitlementAddress::Package(at), name, page)
        }
        _ => {
            let at = path.repo_address()?;
            let (name, page) = (at.to_string(), address::repo(&at));
            (EntitlementAddress::Repo(at), name, page)
        }
    };
    Ok(EntitlementContext { place, address: format!("/-/entitlements{page}"), about: (name, page) })
}
