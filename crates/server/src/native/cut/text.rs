//! A body without files.

use axum::body::Body;
use futures_util::StreamExt;
use operations::native::NativeUpload;
use web::error::Result;

use super::{broken, too_much_text};

/// Reads a text of at most so many bytes.
pub(in crate::native) async fn cut(upload: &mut NativeUpload<'_>, body: Body, max_bytes: usize) -> Result<()> {
    upload.set_document(read(body, max_bytes).await?);
    Ok(())
}

async fn read(body: Body, max_bytes: usize) -> Result<Vec<u8>> {
    let (mut body, mut text) = (body.into_data_stream(), Vec::new());
    while let Some(piece) = body.next().await {
        let piece = piece.map_err(|error| broken(&error.into()))?;
        if text.len() + piece.len() > max_bytes {
            return Err(too_much_text());
        }
        text.extend_from_slice(&piece);
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_text_is_bounded() {
        let read = |max_bytes| read(Body::from("meow"), max_bytes).now_or_never().expect("at hand");
        assert_eq!(read(4).expect("it fits"), b"meow");
        assert_eq!(read(3).expect_err("too long").status(), axum::http::StatusCode::PAYLOAD_TOO_LARGE);
    }
}
