//! Entitlements of access keys to a repository, a package, a version or a product: the same calls for each.

use axum::{Json, extract::State, http::StatusCode, response::Response};
use model::access::Right;
use operations::access::entitlements::{
    self, EntitlementAddress, EntitlementChange, EntitlementDetail, ListChange, ProductAddress,
};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::JsonBody,
    paging,
    path_names::PathNames,
};

pub(crate) async fn list_entitlements(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Response> {
    let page = entitlements::list(app.house(), &caller, &place(&path)?, path.start_position()?).await?;
    Ok(paging::respond(page, |id| api::EntitlementSummary { id }))
}

pub(crate) async fn create_entitlement(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::NewEntitlement>,
) -> Result<(StatusCode, Json<api::Entitlement>)> {
    if body.id.is_some_and(|id| !id.is_empty()) {
        return Err(Failure::bad_request(
            "id: the server chooses it; leave it out, and find the entitlement by its tags",
        ));
    }
    let change = EntitlementChange {
        right: Some(right(&body.access)?),
        path: body.path.map(Some),
        access_keys: ListChange { all: body.access_keys, ..ListChange::default() },
        tags: ListChange { all: body.tags, ..ListChange::default() },
    };
    let entitlement = entitlements::create(app.house(), &caller, &place(&path)?, change).await?;
    Ok((StatusCode::CREATED, Json(view(entitlement))))
}

pub(crate) async fn show_entitlement(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Entitlement>> {
    Ok(Json(view(entitlements::show(app.house(), &caller, &place(&path)?, path.entitlement()).await?)))
}

pub(crate) async fn edit_entitlement(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::EntitlementChange>,
) -> Result<Json<api::Entitlement>> {
    if body.id.as_deref().is_some_and(|id| !id.is_empty() && id != path.entitlement()) {
        return Err(Failure::bad_request("id: it cannot be changed; leave it out"));
    }
    let list = |all, add: Option<_>, remove: Option<_>| ListChange {
        all,
        add: add.unwrap_or_default(),
        remove: remove.unwrap_or_default(),
    };
    let change = EntitlementChange {
        right: body.access.as_deref().map(right).transpose()?,
        path: body.path,
        access_keys: list(body.access_keys, body.access_keys_add, body.access_keys_remove),
        tags: list(body.tags, body.tags_add, body.tags_remove),
    };
    let edited = entitlements::edit(app.house(), &caller, &place(&path)?, path.entitlement(), change).await?;
    Ok(Json(view(edited)))
}

pub(crate) async fn delete_entitlement(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    entitlements::delete(app.house(), &caller, &place(&path)?, path.entitlement()).await?;
    Ok(Json(api::Message::success()))
}

/// The most specific object that the route names.
fn place(path: &PathNames) -> Result<EntitlementAddress> {
    Ok(match path {
        _ if path.has("product") => {
            EntitlementAddress::Product(ProductAddress { owner: path.subject("subject")?, product: path.product()? })
        }
        _ if path.has("version") => EntitlementAddress::Version(path.version_address()?),
        _ if path.has("package") => EntitlementAddress::Package(path.package_address()?),
        _ => EntitlementAddress::Repo(path.repo_address()?),
    })
}

fn right(access: &str) -> Result<Right> {
    let unknown = || Failure::bad_request(format!("access: '{access}' is not one of r, rw"));
    entitlements::parse_access(access).ok_or_else(unknown)
}

fn view(detail: EntitlementDetail) -> api::Entitlement {
    api::Entitlement {
        id: detail.id,
        access: entitlements::access_name(detail.right).to_owned(),
        access_keys: detail.access_keys,
        path: detail.path,
        tags: detail.tags,
    }
}
