//! Names out of the request's path, from the one parser and nowhere else.

use axum::{
    extract::{FromRequestParts, MatchedPath},
    http::{StatusCode, request::Parts},
};
use model::{names::SubjectName, target::Target};

use crate::error::{Failure, Result};

/// The path's variable segments, by the names that the route gives them.
pub(crate) struct PathNames {
    route: MatchedPath,
    target: Target,
}

impl<S: Send + Sync> FromRequestParts<S> for PathNames {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let (route, target) = (parts.extensions.get::<MatchedPath>(), parts.extensions.get::<Target>());
        match (route, target) {
            (Some(route), Some(target)) => Ok(Self { route: route.clone(), target: target.clone() }),
            _ => Err(Failure::new(StatusCode::NOT_FOUND, "There is nothing at this address")),
        }
    }
}

impl PathNames {
    /// The subject in this place of the route.
    pub(crate) fn subject(&self, place: &str) -> Result<SubjectName> {
        SubjectName::parse(self.segment(place)).map_err(Failure::bad_request)
    }

    /// The target's query, for handlers that take parameters.
    pub(crate) fn query(&self, name: &str) -> Result<Option<&str>> {
        Ok(self.target.query(name)?)
    }

    /// The route and the parsed path have the same segments: the path was written anew from the parsed ones.
    fn segment(&self, place: &str) -> &str {
        let pattern = self.route.as_str().split('/').filter(|part| !part.is_empty());
        let index = pattern.map(|part| part.trim_matches(['{', '}'])).position(|name| name == place);
        index.and_then(|index| self.target.segments.get(index)).map_or("", String::as_str)
    }
}
