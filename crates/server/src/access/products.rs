//! Products.

use axum::{Json, extract::State, http::StatusCode};
use model::{
    names::{ProductName, SubjectName},
    product::ListedProduct,
};
use operations::access::products::{self, ProductAddress, ProductDetail};
use web::{
    App,
    caller::SignedIn,
    error::{Failure, Result},
    json::{JsonBody, JsonParts},
    path_names::PathNames,
};

pub(crate) async fn list_products(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<Vec<api::ProductSummary>>> {
    let listed = products::list(app.house(), &caller, &path.subject("subject")?).await?;
    let summary =
        |product: ListedProduct| api::ProductSummary { name: product.name, display_name: product.display_name };
    Ok(Json(listed.into_iter().map(summary).collect()))
}

pub(crate) async fn create_product(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonParts(new, body): JsonParts<api::Named, api::ProductChange>,
) -> Result<(StatusCode, Json<api::Product>)> {
    let product = ProductName::parse(&new.name).map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = ProductAddress { owner: path.subject("subject")?, product };
    let detail = products::create(app.house(), &caller, &at, change(body)).await?;
    Ok((StatusCode::CREATED, Json(view(&at.owner, detail))))
}

pub(crate) async fn show_product(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Product>> {
    let at = path.product_address()?;
    Ok(Json(view(&at.owner, products::show(app.house(), &caller, &at).await?)))
}

pub(crate) async fn edit_product(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
    JsonBody(body): JsonBody<api::ProductChange>,
) -> Result<Json<api::Message>> {
    products::edit(app.house(), &caller, &path.product_address()?, change(body)).await?;
    Ok(Json(api::Message::success()))
}

pub(crate) async fn delete_product(
    State(app): State<App>,
    SignedIn(caller): SignedIn,
    path: PathNames,
) -> Result<Json<api::Message>> {
    products::delete(app.house(), &caller, &path.product_address()?).await?;
    Ok(Json(api::Message::success()))
}

fn change(body: api::ProductChange) -> products::ProductChange {
    products::ProductChange {
        display_name: body.display_name,
        description: body.desc,
        website_url: body.website_url,
        vcs_url: body.vcs_url,
        packages: body.packages,
        sign_url_expiry: body.sign_url_expiry,
    }
}

fn view(owner: &SubjectName, detail: ProductDetail) -> api::Product {
    let ProductDetail { product, packages } = detail;
    api::Product {
        name: product.name.to_string(),
        owner: owner.to_string(),
        display_name: product.profile.display_name,
        desc: product.profile.description,
        website_url: product.profile.website_url,
        vcs_url: product.profile.vcs_url,
        packages,
        sign_url_expiry: product.profile.sign_url_expiry,
        created: product.created.to_string(),
    }
}
