//! What a form of a page brings: its fields, who has sent it, and to which address.

use axum::{
    body::Body,
    extract::{FromRequest, FromRequestParts, Request},
};

use super::visitor::Visitor;
use crate::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

/// A form that was sent from one of our pages, in the session of its visitor.
pub(super) struct Submitted<F> {
    pub(super) app: App,
    pub(super) visitor: Visitor,
    pub(super) path: PathNames,
    pub(super) form: F,
}

/// The fields of such a form.
pub(super) trait OfSession: Sized {
    /// Reads them, and makes sure that the form is one of this visitor's session.
    fn read_of(app: &App, visitor: &Visitor, body: Body) -> impl Future<Output = Result<Self>> + Send;
}

impl<F: OfSession> FromRequest<App> for Submitted<F> {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        let path = PathNames::from_request_parts(&mut parts, app).await?;
        let form = F::read_of(app, &visitor, body).await?;
        Ok(Self { app: app.clone(), visitor, path, form })
    }
}
