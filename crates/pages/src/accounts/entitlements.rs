//! Entitlements of access keys in a repository, a package, a version or a product.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{access::Right, subject::SubjectKind};
use operations::{
    access::{
        entitlements::{
            self, EntitlementAddress, EntitlementChange, EntitlementDetail, ListChange, ProductAddress, access_name,
        },
        products,
    },
    catalogue::{packages, repos},
};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use crate::{
    address,
    band::{Band, SubjectPages},
    errors::allowed,
    form::{Form, Submitted},
    layout::{Layout, render},
    notice::{self, Notice},
    pager::Pager,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "accounts/entitlements.html")]
struct Page {
    layout: Layout,
    band: Band,
    /// The name of their scope.
    title: String,
    address: String,
    /// Whether a path can be given.
    has_path: bool,
    /// The entitlements, each with the access that it grants.
    entitlements: Vec<(&'static str, EntitlementDetail)>,
    pager: Pager,
}

/// The scope of a page of entitlements, and its URL.
struct EntitlementContext {
    scope: EntitlementAddress,
    title: (String, String),
    address: String,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    page(&app, &visitor, &context(&path)?, path.start_position()?, None).await
}

async fn page(
    app: &App,
    visitor: &Visitor,
    context: &EntitlementContext,
    start: u64,
    notice: Option<Notice>,
) -> Result<Response> {
    let (house, caller) = (app.house(), &visitor.caller);
    let listed = entitlements::list(house, caller, &context.scope, start).await?;
    let mut shown = Vec::with_capacity(listed.items.len());
    for id in &listed.items {
        let entitlement = entitlements::show(house, caller, &context.scope, id).await?;
        let access = if access_name(entitlement.right) == "rw" { "Read and publish" } else { "Read" };
        shown.push((access, entitlement));
    }
    let layout = visitor.layout(app).with_notice(notice);
    let page = Page {
        band: band(app, visitor, context).await?,
        title: context.title.0.clone(),
        address: context.address.clone(),
        has_path: matches!(context.scope, EntitlementAddress::Repo(_)),
        pager: Pager::new(&context.address, &[], start, shown.len(), listed.total),
        entitlements: shown,
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

/// The head of the scope, for those who may also read it.
async fn band(app: &App, visitor: &Visitor, context: &EntitlementContext) -> Result<Band> {
    let (house, caller) = (app.house(), &visitor.caller);
    let band = match &context.scope {
        EntitlementAddress::Repo(at) => {
            allowed(repos::show(house, caller, at).await)?.map(|access| Band::of_repo(at, &access))
        }
        EntitlementAddress::Package(at) => {
            let access = allowed(packages::show_for(house, caller, at, Right::Read).await)?;
            access.map(|access| Band::of_package(at, &access))
        }
        EntitlementAddress::Version(at) => {
            let access = allowed(packages::show_for(house, caller, &at.package, Right::Read).await)?;
            access.map(|access| Band::of_version(at, &access))
        }
        EntitlementAddress::Product(at) => return product_band(app, visitor, at).await,
    };
    Ok(band.map_or_else(|| Band::plain(vec![context.title.clone()], "Access"), |band| band.at("Access")))
}

/// The head of the account that has a product, with the product among what contains this page.
async fn product_band(app: &App, visitor: &Visitor, at: &ProductAddress) -> Result<Band> {
    let is_own = visitor.caller.user().is_some_and(|own| own.name == at.owner);
    let kind = if is_own { SubjectKind::User } else { SubjectKind::Org };
    let product = products::ProductAddress { owner: at.owner.clone(), product: at.product.clone() };
    let product = products::show(app.house(), &visitor.caller, &product).await?.product;
    let band = Band::of_subject(&at.owner, SubjectPages::managed(app, visitor, kind, &at.owner).await?).at("Products");
    let above = [(at.owner.to_string(), address::path([at.owner.as_str()]))];
    let page = (product.title().to_owned(), address::path(["-", "products", at.owner.as_str(), at.product.as_str()]));
    Ok(Band { breadcrumbs: above.into_iter().chain([page]).collect(), title: product.title().to_owned(), ..band })
}

/// Creates or deletes an entitlement.
pub(super) async fn change(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let context = context(&path)?;
    let done = match form.optional("delete")? {
        Some(id) => delete(&app, &visitor, &context, &id).await.map(|()| "The entitlement has been deleted."),
        None => create(&app, &visitor, &context, &form).await.map(|()| "The entitlement has been created."),
    };
    match done {
        Ok(text) => Ok(notice::redirect(&app, &visitor, &context.address, Notice::success(text))),
        Err(failure) => page(&app, &visitor, &context, 0, Some(form.refusal(failure)?)).await,
    }
}

async fn delete(app: &App, visitor: &Visitor, context: &EntitlementContext, id: &str) -> Result<()> {
    Ok(entitlements::delete(app.house(), &visitor.caller, &context.scope, id).await?)
}

async fn create(app: &App, visitor: &Visitor, context: &EntitlementContext, form: &Form) -> Result<()> {
    let access = form.line("access")?;
    let unknown = || Failure::bad_request(format!("access: '{access}' is not one of r, rw"));
    let all = |name| ListChange { all: Some(form.lines(name)), ..ListChange::default() };
    let change = EntitlementChange {
        right: Some(entitlements::parse_access(access).ok_or_else(unknown)?),
        path: form.optional("path")?.map(Some),
        access_keys: all("access_keys"),
        tags: all("tags"),
    };
    entitlements::create(app.house(), &visitor.caller, &context.scope, change).await?;
    Ok(())
}

/// The scope that the path names.
fn context(path: &PathNames) -> Result<EntitlementContext> {
    if path.has("product") {
        let (owner, product) = (path.subject("subject")?, path.product()?);
        let title = (format!("{owner}/{product}"), address::path([owner.as_str()]));
        let address = address::path(["-", "products", owner.as_str(), product.as_str(), "entitlements"]);
        return Ok(EntitlementContext {
            scope: EntitlementAddress::Product(ProductAddress { owner, product }),
            title,
            address,
        });
    }
    let (scope, name, page) = match path {
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
    Ok(EntitlementContext { scope, address: format!("/-/entitlements{page}"), title: (name, page) })
}
