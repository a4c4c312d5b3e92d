//! Routes whose handlers return boxed futures.
//!
//! The compiler proves that a handler's future can move between threads each time it selects an implementation that
//! requires it, and axum has many of them for each route. A boxed future states this in its type. Without it, half of
//! this crate's compile time is spent on these proofs.

use std::{future::Future, pin::Pin};

use axum::{
    extract::{FromRequest, FromRequestParts},
    response::IntoResponse,
    routing::{self, MethodFilter, MethodRouter},
};

use crate::App;

/// The future of a handler.
type Boxed<R> = Pin<Box<dyn Future<Output = R> + Send>>;

/// A handler as axum defines it: an async function whose arguments are extracted from the request.
pub(crate) trait Handler<T>: Sized {
    /// A route that answers these methods with this handler.
    fn on(self, methods: MethodFilter) -> MethodRouter<App>;
}

macro_rules! handler {
    ($($part:ident)*; $last:ident) => {
        #[allow(non_snake_case, reason = "arguments are named like their types")]
        impl<F, Fut, R, M, $($part,)* $last> Handler<(M, $($part,)* $last)> for F
        where
            F: Fn($($part,)* $last) -> Fut + Clone + Send + Sync + 'static,
            Fut: Future<Output = R> + Send + 'static,
            R: IntoResponse + 'static,
            M: 'static,
            $($part: FromRequestParts<App> + Send + 'static,)*
            $last: FromRequest<App, M> + Send + 'static,
        {
            fn on(self, methods: MethodFilter) -> MethodRouter<App> {
                routing::on(methods, move |$($part: $part,)* $last: $last| -> Boxed<R> { Box::pin(self($($part,)* $last)) })
            }
        }
    };
}

impl<F, Fut, R> Handler<()> for F
where
    F: Fn() -> Fut + Clone + Send + Sync + 'static,
    Fut: Future<Output = R> + Send + 'static,
    R: IntoResponse + 'static,
{
    fn on(self, methods: MethodFilter) -> MethodRouter<App> {
        routing::on(methods, move || -> Boxed<R> { Box::pin(self()) })
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
pub(crate) fn get<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::GET)
}

/// Routes `POST` to a handler.
pub(crate) fn post<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::POST)
}

/// Routes `PUT` to a handler.
pub(crate) fn put<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::PUT)
}

/// Routes `GET` to one handler and `POST` to another, for pages with a form.
pub(crate) fn form<T, U>(show: impl Handler<T>, change: impl Handler<U>) -> MethodRouter<App> {
    get(show).merge(post(change))
}
