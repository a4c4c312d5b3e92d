//! Follows and rates packages, and follows users and organizations.

use axum::response::Response;
use model::rating::Rating;
use operations::accounts::{followers, ratings};
use web::error::{Failure, Result};

use crate::{
    address,
    form::Submitted,
    notice::{self, Notice},
};

/// Follows a package, or no longer does.
pub(super) async fn package(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    let said = if form.is_checked("stop") {
        followers::unfollow_package(app.house(), &visitor.caller, &at).await?;
        "You no longer follow this package."
    } else {
        followers::follow_package(app.house(), &visitor.caller, &at).await?;
        "You follow this package now."
    };
    Ok(notice::redirect(&app, &visitor, &address::package(&at), Notice::success(said)))
}

/// Follows a user or an organization, or no longer does.
pub(super) async fn subject(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let name = path.subject("subject")?;
    let said = if form.is_checked("stop") {
        followers::unfollow(app.house(), &visitor.caller, &name).await?;
        format!("You no longer follow {name}.")
    } else {
        followers::follow(app.house(), &visitor.caller, &name).await?;
        format!("You follow {name} now.")
    };
    Ok(notice::redirect(&app, &visitor, &address::path([name.as_str()]), Notice::success(said)))
}

/// Rates a package.
pub(super) async fn rate(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let at = path.package_address()?;
    let rating = form.number("rating")?.and_then(Rating::new);
    let rating = rating.ok_or_else(|| Failure::bad_request("rating: it is not one of 1 to 5"))?;
    ratings::set(app.house(), &visitor.caller, &at, rating).await?;
    Ok(notice::redirect(&app, &visitor, &address::package(&at), Notice::success("Your rating has been saved.")))
}
