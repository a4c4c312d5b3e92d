//! A body that is one file.

use axum::body::Body;
use operations::native::NativeUpload;
use web::error::Result;

use super::FILE_FIELD;

/// Stores the body as one file.
pub(in crate::native) async fn cut(upload: &mut NativeUpload<'_>, body: Body) -> Result<()> {
    upload.receive(FILE_FIELD.to_owned(), String::new(), body.into_data_stream()).await?;
    Ok(())
}
