//! Routes whose handlers return boxed futures.
//!
//! The compiler proves that the future of a handler can change threads each time it picks an implementation that asks for
//! it, and axum has many of them for each route. A boxed future says so by its type. Without this, half of the time that
//! this crate takes to compile is spent on these proofs.

use std::{future::Future, pin::Pin};

use axum::{
    extract::{FromRequest, FromRequestParts},
    response::IntoResponse,
    routing::{self, MethodFilter, MethodRouter},
};

use crate::App;

/// The future of a handler.
type Boxed<R> = Pin<Box<dyn Future<Output = R> + Send>>;

/// A handler, as axum knows it: an async function whose arguments are taken from the request.
pub(crate) trait Handler<T>: Sized {
    /// A route that answers these methods with it.
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

/// Answers `GET`, and `HEAD` with it.
pub(crate) fn get<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::GET)
}

/// Answers `POST`.
pub(crate) fn post<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::POST)
}

/// Answers `PUT`.
pub(crate) fn put<T>(handler: impl Handler<T>) -> MethodRouter<App> {
    handler.on(MethodFilter::PUT)
}

/// Answers `GET` with the one and `POST` with the other, as pages with a form do.
pub(crate) fn form<T, U>(show: impl Handler<T>, change: impl Handler<U>) -> MethodRouter<App> {
    get(show).merge(post(change))
}
