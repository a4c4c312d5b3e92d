//! A submitted form as the argument of a handler.

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    response::{IntoResponse, Response},
};
use web::{App, error::Result, path_names::PathNames};

use super::{Form, ask, session_of};
use crate::visitor::Visitor;

/// A form that a page of this site submitted in the session of its visitor.
pub(crate) struct Submitted {
    pub(crate) app: App,
    pub(crate) visitor: Visitor,
    pub(crate) path: PathNames,
    pub(crate) form: Form,
}

impl FromRequest<App> for Submitted {
    type Rejection = Response;

    /// Reads the form. One that asks first is answered with the question.
    async fn from_request(request: Request, app: &App) -> std::result::Result<Self, Response> {
        let address = request.uri().path().to_owned();
        let submitted = Self::read(request, app).await.map_err(IntoResponse::into_response)?;
        match ask::page(app, &submitted.visitor, &address, &submitted.form) {
            Some(question) => Err(question),
            None => Ok(submitted),
        }
    }
}

impl Submitted {
    /// Reads the body only if the request has a session.
    async fn read(request: Request, app: &App) -> Result<Self> {
        let (mut parts, body) = request.into_parts();
        let visitor = Visitor::from_request_parts(&mut parts, app).await?;
        session_of(&visitor)?;
        let path = PathNames::from_request_parts(&mut parts, app).await?;
        let form = Form::read(app, &visitor, &parts.headers, body).await?;
        Ok(Self { app: app.clone(), visitor, path, form })
    }
}
