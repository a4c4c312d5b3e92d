//! A document and a file, each after its length as four little-endian bytes.

use axum::body::Body;
use operations::native::NativeUpload;
use web::error::{Failure, Result};

use super::{FILE_FIELD, TEXT_BYTES, pieces::Pieces, too_much_text};

/// Reads the document and stores the file. The body ends with the file.
pub(in crate::native) async fn cut(upload: &mut NativeUpload<'_>, body: Body) -> Result<()> {
    let mut pieces = Pieces::new(body);
    let (document, file_bytes) = head(&mut pieces).await?;
    upload.set_document(document);
    upload.receive(FILE_FIELD.to_owned(), String::new(), pieces.stream(file_bytes)).await?;
    check_end(&mut pieces).await
}

/// The document, and the length of the file after it.
async fn head(pieces: &mut Pieces) -> Result<(Vec<u8>, u64)> {
    let document_bytes = length(pieces).await?;
    if document_bytes > TEXT_BYTES as u64 {
        return Err(too_much_text());
    }
    let document = pieces.take(usize::try_from(document_bytes).unwrap_or(TEXT_BYTES)).await?;
    Ok((document.to_vec(), length(pieces).await?))
}

async fn length(pieces: &mut Pieces) -> Result<u64> {
    let bytes = pieces.take(4).await?;
    let bytes = bytes.as_ref().try_into().map_err(|_| Failure::bad_request("The body has no length"))?;
    Ok(u32::from_le_bytes(bytes).into())
}

async fn check_end(pieces: &mut Pieces) -> Result<()> {
    if pieces.is_at_end().await? {
        return Ok(());
    }
    Err(Failure::bad_request("The body has more bytes than its lengths say"))
}

#[cfg(test)]
mod tests {
    use axum::BoxError;
    use bytes::Bytes;
    use futures_util::{FutureExt, TryStreamExt, stream};

    use super::*;

    /// The document and the file of a body that arrives in pieces of this size.
    fn parts(body: &[u8], piece: usize) -> Result<(Vec<u8>, Vec<u8>)> {
        let pieces: Vec<std::result::Result<Bytes, BoxError>> =
            body.chunks(piece).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
        let mut pieces = Pieces::new(Body::from_stream(stream::iter(pieces)));
        let read = async {
            let (document, file_bytes) = head(&mut pieces).await?;
            let file: Vec<Bytes> =
                pieces.stream(file_bytes).try_collect().await.map_err(|error| super::super::broken(&error))?;
            check_end(&mut pieces).await?;
            Ok((document, file.concat()))
        };
        read.now_or_never().expect("at hand")
    }

    fn framed(document: &[u8], file: &[u8]) -> Vec<u8> {
        let length = |bytes: &[u8]| u32::try_from(bytes.len()).expect("small").to_le_bytes();
        [&length(document), document, &length(file), file].concat()
    }

    #[test]
    fn a_document_and_a_file_come_out_however_they_arrive() {
        for (document, file) in [(&b"{}"[..], &b"meow"[..]), (b"", b""), (b"{}", b"")] {
            for piece in [1, 3, 5, 100] {
                let found = parts(&framed(document, file), piece).expect("well formed");
                assert_eq!(found, (document.to_vec(), file.to_vec()), "{piece}");
            }
        }
    }

    #[test]
    fn lengths_must_be_those_of_the_body() {
        let whole = framed(b"{}", b"meow");
        for end in 0..whole.len() {
            assert_eq!(parts(&whole[..end], 3).expect_err("cut off").status(), 400, "{end}");
        }
        assert_eq!(parts(&[&whole[..], b"x"].concat(), 100).expect_err("more").status(), 400);
        let huge = [&u32::MAX.to_le_bytes()[..], b"{}"].concat();
        assert_eq!(parts(&huge, 100).expect_err("too long").status(), 413);
    }
}
