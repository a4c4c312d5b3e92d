//! The limit of a whole body.

use std::sync::{
    Arc,
    atomic::{AtomicBool, Ordering},
};

use axum::{BoxError, body::Body};
use bytes::Bytes;
use futures_util::StreamExt;

/// Ends a body that is larger than allowed, and remembers that it did.
pub(in crate::native) struct Limited {
    max_bytes: u64,
    is_over: Arc<AtomicBool>,
}

impl Limited {
    /// A limit of so many bytes.
    pub(in crate::native) fn new(max_bytes: u64) -> Self {
        Self { max_bytes, is_over: Arc::default() }
    }

    /// The body with this limit.
    pub(in crate::native) fn wrap(&self, body: Body) -> Body {
        let (mut left, is_over) = (self.max_bytes, self.is_over.clone());
        Body::from_stream(body.into_data_stream().map(move |piece| -> Result<Bytes, BoxError> {
            let piece = piece?;
            match left.checked_sub(piece.len() as u64) {
                Some(rest) => left = rest,
                None => {
                    is_over.store(true, Ordering::Relaxed);
                    return Err("the body is too large".into());
                }
            }
            Ok(piece)
        }))
    }

    /// Whether the body was larger.
    pub(in crate::native) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::to_bytes;
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_body_ends_at_its_limit() {
        for (max_bytes, is_over) in [(3, true), (4, false), (5, false)] {
            let limited = Limited::new(max_bytes);
            let read = to_bytes(limited.wrap(Body::from("meow")), 100).now_or_never().expect("at hand");
            assert_eq!((read.is_err(), limited.is_over()), (is_over, is_over), "{max_bytes}");
        }
    }
}
