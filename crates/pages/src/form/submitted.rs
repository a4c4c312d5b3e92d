//! A submitted form as the argument of a handler.

use axum::extract::{FromRequest, FromRequestParts, Request};
use web::{
    App,
    error::{Failure, Result},
    path_names::PathNames,
};

use super::{Form, session_of};
use crate::visitor::Visitor;

/// A form that a page of this site submitted in the session of its visitor.
pub(crate) struct Submitted {
    pub(crate) app: App,
    pub(crate) visitor: Visitor,
    pub(crate) path: PathNames,
    pub(crate) form: Form,
}

impl FromRequest<App> for Submitted {
    type Rejection = Failure;

    /// Reads the body only if the request has a session.
    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        session_of(&visitor)?;
        let path = PathNames::from_request_parts(&mut parts, app).await?;
        let form = Form::read(app, &visitor, &parts.headers, body).await?;
        Ok(Self { app: app.clone(), visitor, path, form })
    }
}
