//! One entry per call: it defines the route, the call's part of the API description, and the table that tests walk.

mod access;
mod access_keys;
mod accounts;
mod attributes;
mod catalogue;
mod content;
mod download_logs;
mod permission;
mod products;
mod public_sync;
mod restrictions;
mod sign_in;
mod signed_urls;
mod signing;
mod statistics;
mod stream;
mod table;
mod tokens;
mod trusted_publishers;
mod usage;
mod webhooks;
mod wrong_method;

use axum::{
    Router,
    extract::{FromRef, Request, State},
    http::Method,
    middleware::from_fn,
    routing::{MethodFilter, MethodRouter, on},
};
use model::target::Target;
use tower::ServiceExt;
use utoipa::{
    ToSchema,
    openapi::{RefOr, schema::Schema},
};
use web::{
    App,
    boxed::{Boxed, Handler},
};

use crate::{ServerState, objects};
use wrong_method::fits;

pub(crate) use table::api;
pub use table::endpoints;
pub(crate) use wrong_method::{nothing, wrong_method};

/// A call of the API.
#[derive(Clone)]
pub struct Endpoint {
    /// The HTTP method.
    pub method: Method,
    /// The path below the API's base URL, with `{name}` for variable segments.
    pub path: &'static str,
    /// The purpose of the call.
    pub summary: &'static str,
    /// The status code of success.
    pub status: u16,
    /// The heading of the call in the description.
    pub section: &'static str,
    /// The name of the function that answers; empty if the call is reached by the route of another one.
    pub handler: &'static str,
    pub(crate) body: Option<RefOr<Schema>>,
    pub(crate) answer: Option<RefOr<Schema>>,
    pub(crate) query: &'static [(&'static str, &'static str)],
    pub(crate) schemas: Vec<(String, RefOr<Schema>)>,
    /// Whether its responses have an entity tag and are cached for callers without credentials.
    is_cached: bool,
    /// The route in the router, if it differs from the path.
    route: Option<&'static str>,
}

impl Endpoint {
    /// Who may make the call.
    pub fn permission(&self) -> &'static str {
        permission::of(&self.method, self.path)
    }

    /// Whether the call works without credentials.
    pub fn is_public(&self) -> bool {
        permission::is_public(self.permission())
    }

    /// Whether the body is the content of a file.
    pub(crate) fn is_upload(&self) -> bool {
        self.method == Method::PUT && ["/content/", "/maven/"].iter().any(|start| self.path.starts_with(start))
    }

    /// The route in the router: a `{file_path}` at the end is a file path, including its slashes.
    pub(crate) fn route(&self) -> String {
        let route = self.route.unwrap_or(self.path);
        match route.strip_suffix("{file_path}") {
            Some(start) => format!("/api{start}{{*file_path}}"),
            None => format!("/api{route}"),
        }
    }
}

/// The calls of the API, and the router that answers them.
pub(crate) struct Endpoints {
    pub(crate) router: Router<ServerState>,
    pub(crate) list: Vec<Endpoint>,
    section: &'static str,
}

impl Endpoints {
    pub(crate) fn new() -> Self {
        Self { router: Router::new(), list: Vec::new(), section: "" }
    }

    /// Adds a section of the description with its calls.
    pub(crate) fn section(mut self, section: &'static str, calls: fn(Self) -> Self) -> Self {
        self.section = section;
        calls(self)
    }

    /// Adds a call that is reached by the route of another one.
    pub(crate) fn describe(mut self, call: Call) -> Self {
        self.list.push(Endpoint { section: self.section, ..call.0 });
        self
    }

    /// Adds a call.
    pub(crate) fn add<T>(self, call: Call, handler: impl Handler<T, ServerState>) -> Self {
        let name = std::any::type_name_of_val(&handler).rsplit("::").next().unwrap_or_default();
        self.add_boxed(Endpoint { handler: name, ..call.0 }, handler.boxed())
    }

    /// What does not depend on the type of the handler.
    fn add_boxed(mut self, mut endpoint: Endpoint, handler: Boxed<ServerState>) -> Self {
        endpoint.section = self.section;
        let filter = MethodFilter::try_from(endpoint.method.clone()).expect("the contract uses standard methods");
        let mut methods = on(filter, handler);
        if endpoint.is_cached {
            methods = methods.layer(from_fn(objects::answer));
        }
        if endpoint.route.is_some() {
            methods = on_path(filter, endpoint.path, methods);
        }
        self.router = self.router.route(&endpoint.route(), methods);
        self.list.push(endpoint);
        self
    }
}

/// Routes a call that shares its route with paths that do not accept its method.
fn on_path(filter: MethodFilter, path: &'static str, methods: MethodRouter<ServerState>) -> MethodRouter<ServerState> {
    on(filter, async move |State(state): State<ServerState>, request: Request| {
        if request.extensions().get::<Target>().is_some_and(|target| fits(path, target)) {
            methods.with_state(state).oneshot(request).await.unwrap_or_else(|never| match never {})
        } else {
            wrong_method(State(App::from_ref(&state)), request).await
        }
    })
}

/// A builder for the description of a call.
pub(crate) struct Call(Endpoint);

pub(crate) fn get(path: &'static str, summary: &'static str) -> Call {
    Call::new(Method::GET, path, summary)
}

pub(crate) fn post(path: &'static str, summary: &'static str) -> Call {
    Call::new(Method::POST, path, summary)
}

pub(crate) fn put(path: &'static str, summary: &'static str) -> Call {
    Call::new(Method::PUT, path, summary)
}

pub(crate) fn patch(path: &'static str, summary: &'static str) -> Call {
    Call::new(Method::PATCH, path, summary)
}

pub(crate) fn delete(path: &'static str, summary: &'static str) -> Call {
    Call::new(Method::DELETE, path, summary)
}

impl Call {
    fn new(method: Method, path: &'static str, summary: &'static str) -> Self {
        let (body, answer, schemas) = (None, None, Vec::new());
        let (section, handler, query, is_cached, route) = ("", "", [].as_slice(), false, None);
        let status = 200;
        Self(Endpoint {
            method,
            path,
            summary,
            status,
            section,
            handler,
            body,
            answer,
            query,
            schemas,
            is_cached,
            route,
        })
    }

    /// Gives the responses an entity tag, and caches them for callers without credentials. They may depend only on what
    /// ends the epoch of objects.
    pub(crate) fn cached(mut self) -> Self {
        self.0.is_cached = true;
        self
    }

    /// Sets another route: calls in the same position as a file path have to be told apart later.
    pub(crate) fn routed(mut self, route: &'static str) -> Self {
        self.0.route = Some(route);
        self
    }

    /// Sets the JSON body of the request.
    pub(crate) fn takes<T: ToSchema>(mut self) -> Self {
        self.0.body = Some(self.reference::<T>());
        self
    }

    /// Sets a list as the JSON body of the request.
    pub(crate) fn takes_list<T: ToSchema>(mut self) -> Self {
        let items = self.reference::<T>();
        self.0.body = Some(utoipa::openapi::ArrayBuilder::new().items(items).into());
        self
    }

    /// Sets the query parameters of the call, with their meaning.
    pub(crate) fn query(mut self, parameters: &'static [(&'static str, &'static str)]) -> Self {
        self.0.query = parameters;
        self
    }

    /// Sets the status and the JSON of success.
    pub(crate) fn answers<T: ToSchema>(mut self, status: u16) -> Self {
        self.0.status = status;
        self.0.answer = Some(self.reference::<T>());
        self
    }

    /// Sets the status of success, with a JSON list.
    pub(crate) fn lists<T: ToSchema>(mut self, status: u16) -> Self {
        self.0.status = status;
        let items = self.reference::<T>();
        self.0.answer = Some(utoipa::openapi::ArrayBuilder::new().items(items).into());
        self
    }

    /// Sets a redirect as the success response.
    pub(crate) fn redirects(mut self) -> Self {
        self.0.status = 302;
        self
    }

    fn reference<T: ToSchema>(&mut self) -> RefOr<Schema> {
        let name = T::name().into_owned();
        T::schemas(&mut self.0.schemas);
        self.0.schemas.push((name.clone(), T::schema()));
        utoipa::openapi::Ref::from_schema_name(name).into()
    }
}
