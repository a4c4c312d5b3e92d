//! Routes whose handlers return boxed futures.
//!
//! The compiler proves that a handler's future can move between threads each time it selects an implementation that
//! requires it, and axum has many of them for each route. A boxed future states this in its type. Without it, half of
//! the compile time of the crate `server` is spent on these proofs.

use std::{future::Future, pin::Pin};

use axum::{
    extract::{FromRequest, FromRequestParts},
    response::IntoResponse,
    routing::{self, MethodFilter, MethodRouter},
};

/// The future of a handler.
type Boxed<R> = Pin<Box<dyn Future<Output = R> + Send>>;

/// A handler as axum defines it: an async function whose arguments are extracted from the request.
pub trait Handler<T, S>: Sized {
    /// A route that answers these methods with this handler.
    fn on(self, methods: MethodFilter) -> MethodRouter<S>;

    /// A route that answers all methods with this handler.
    fn any(self) -> MethodRouter<S>;
}

macro_rules! handler {
    ($($part:ident)*; $last:ident) => {
        #[allow(non_snake_case, reason = "arguments are named like their types")]
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
            fn on(self, methods: MethodFilter) -> MethodRouter<S> {
                routing::on(methods, move |$($part: $part,)* $last: $last| -> Boxed<R> { Box::pin(self($($part,)* $last)) })
            }

            fn any(self) -> MethodRouter<S> {
                routing::any(move |$($part: $part,)* $last: $last| -> Boxed<R> { Box::pin(self($($part,)* $last)) })
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
    fn on(self, methods: MethodFilter) -> MethodRouter<S> {
        routing::on(methods, move || -> Boxed<R> { Box::pin(self()) })
    }

    fn any(self) -> MethodRouter<S> {
        routing::any(move || -> Boxed<R> { Box::pin(self()) })
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
pub fn get<T, S>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::GET)
}

/// Routes all methods to a handler.
pub fn any<T, S>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.any()
}

/// Routes `POST` to a handler.
pub fn post<T, S>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::POST)
}

/// Routes `PUT` to a handler.
pub fn put<T, S>(handler: impl Handler<T, S>) -> MethodRouter<S> {
    handler.on(MethodFilter::PUT)
}

/// Routes `GET` to one handler and `POST` to another, for pages with a form.
pub fn form<T, U, S>(show: impl Handler<T, S>, change: impl Handler<U, S>) -> MethodRouter<S>
where
    S: Clone + Send + Sync + 'static,
{
    get(show).merge(post(change))
}
