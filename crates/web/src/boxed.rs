//! Routes whose handlers are values of one type.
//!
//! axum makes some twenty functions of each handler. Here they exist once: a handler becomes a function from the request to
//! a boxed future of the response. The boxed future also states that it can move between threads, which the compiler would
//! otherwise prove again for each of those functions.

use std::{future::Future, pin::Pin, sync::Arc};

use axum::{
    extract::{FromRequest, FromRequestParts, Request},
    response::{IntoResponse, Response},
    routing::{self, MethodFilter, MethodRouter},
};

/// The future of a response.
type Answer = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler of any type.
pub struct Boxed<S>(Arc<dyn Fn(Request, S) -> Answer + Send + Sync>);

impl<S> Clone for Boxed<S> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<S: Send + Sync + 'static> axum::handler::Handler<(), S> for Boxed<S> {
    type Future = Answer;

    fn call(self, request: Request, state: S) -> Answer {
        self.0(request, state)
    }
}

/// A handler as axum defines it: an async function whose arguments are extracted from the request.
pub trait Handler<T, S: Clone + Send + Sync + 'static>: Sized {
    /// A route that answers these methods with this handler.
    fn on(self, methods: MethodFilter) -> MethodRouter<S> {
        routing::on(methods, self.boxed())
    }

    /// A route that answers all methods with this handler.
    fn any(self) -> MethodRouter<S> {
        routing::any(self.boxed())
    }

    /// This handler as a value of the common type.
    fn boxed(self) -> Boxed<S>;
}

macro_rules! handler {
    ($($part:ident)*; $last:ident) => {
        #[allow(non_snake_case, unused_mut, reason = "arguments are named like their types, and may need no parts")]
        impl<S, F, Fut, R, M, $($part,)* $last> Handler<(M, $($part,)* $last), S> for F
        where
            S: Clone + Send + Sync + 'static,
            F: Fn($($part,)* $last) -> Fut + Clone + Send + Sync + 'static,
            Fut: Future<Output = R> + Send + 'static,
            R: IntoResponse + 'static,
            M: 'static,
            $($part: FromRequestParts<S> + Send + 'static,)*
            $last: FromRequest<S, M> + Send + 'static,
        {
            fn boxed(self) -> Boxed<S> {
                Boxed(Arc::new(move |request, state| {
                    let handler = self.clone();
                    Box::pin(async move {
                        let (mut parts, body) = request.into_parts();
                        $(
                            let $part = match $part::from_request_parts(&mut parts, &state).await {
                                Ok(part) => part,
                                Err(rejection) => return rejection.into_response(),
                            };
                        )*
                        let $last = match $last::from_request(Request::from_parts(parts, body), &state).await {
                            Ok(last) => last,
                            Err(rejection) => return rejection.into_response(),
                        };
                        handler($($part,)* $last).await.into_response()
                    })
                }))
            }
        }
    };
}

impl<S, F, Fut, R> Handler<(), S> for F
where
    S: Clone + Send + Sync + 'static,
    F: Fn() -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoResponse + 'static,
{
    fn boxed(self) -> Boxed<S> {
        Boxed(Arc::new(move |_, _| {
            let answer = self();
            Box::pin(async move { answer.await.into_response() })
        }))
    }
}

handler!(; A);
handler!(A; B);
handler!(A B; C);
handler!(A B C; D);
handler!(A B C D; E);
handler!(A B C D E; G);
handler!(A B C D E G; H);

/// Routes `GET` and `HEAD` to a handler.
pub fn get<T, S: Clone + Send + Sync + 'static>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::GET)
}

/// Routes all methods to a handler.
pub fn any<T, S: Clone + Send + Sync + 'static>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.any()
}

/// Routes `POST` to a handler.
pub fn post<T, S: Clone + Send + Sync + 'static>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::POST)
}

/// Routes `PUT` to a handler.
pub fn put<T, S: Clone + Send + Sync + 'static>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::PUT)
}

/// Routes `GET` to one handler and `POST` to another, for pages with a form.
pub fn form<T, U, S>(show: impl Handler<T, S>, change: impl Handler<U, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    get(show).merge(post(change))
}
