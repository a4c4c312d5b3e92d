//! Who has accepted the terms of a product.

use askama::Template;
use axum::{extract::State, response::Response};
use model::{eula::ListedSignature, timestamp::Timestamp};
use operations::access::{agreements, products};
use web::{App, error::Result, path_names::PathNames};

use super::{
    products::{band, page_of},
    settings_nav,
};
use crate::{
    band::{Band, Tab},
    layout::{Layout, render},
    pager::Pager,
    visitor::Visitor,
};

#[derive(Template)]
#[template(path = "manage/acceptances.html")]
struct Page {
    layout: Layout,
    band: Band,
    nav: Vec<Tab>,
    product: String,
    signatures: Vec<(ListedSignature, Timestamp)>,
    pager: Pager,
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (at, start) = (path.product_address()?, path.start_position()?);
    let list = agreements::list(app.house(), &visitor.caller, &at, start).await?;
    let product = products::show(app.house(), &visitor.caller, &at).await?.product;
    let address = format!("{}/acceptances", page_of(&at));
    let layout = visitor.layout(&app);
    let page = Page {
        band: band(&app, &visitor, &at.owner).await?,
        nav: settings_nav::of_product(&at, "Acceptances"),
        product: product.title().to_owned(),
        pager: Pager::new(&address, &[], start, list.items.len(), list.total),
        signatures: list.items.into_iter().map(dated).collect(),
        layout: layout.clone(),
    };
    Ok(render(&layout, &page))
}

fn dated(signed: ListedSignature) -> (ListedSignature, Timestamp) {
    let at = Timestamp::from_millis(signed.at);
    (signed, at)
}
