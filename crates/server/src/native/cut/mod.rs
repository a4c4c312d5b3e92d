//! Cuts bodies into files, which go to the store as they arrive, and texts, which are small and stay in memory.

mod framed;
mod limited;
mod multipart;
mod npm_document;
mod pieces;
mod raw;
mod scanner;
mod text;

pub(super) use framed::cut as framed;
pub(super) use limited::Limited;
pub(super) use multipart::cut as multipart;
pub(super) use npm_document::cut as npm_document;
pub(super) use raw::cut as raw;
pub(super) use text::cut as text;

use axum::{BoxError, http::StatusCode};
use web::error::{Failure, too_slow_answer};

/// The most bytes of all texts of a body together.
pub(super) const TEXT_BYTES: usize = 4 << 20;

/// The most files of a body.
const FILES: usize = 100;

/// The field of the file in a body that does not name its fields.
const FILE_FIELD: &str = "file";

/// The response to a body that did not arrive.
fn broken(error: &BoxError) -> Failure {
    too_slow_answer(&**error).unwrap_or_else(|| Failure::bad_request("The body is incomplete"))
}

fn too_much_text() -> Failure {
    Failure::new(StatusCode::PAYLOAD_TOO_LARGE, format!("The texts of the body have more than {TEXT_BYTES} bytes"))
}

fn too_many_files() -> Failure {
    Failure::bad_request(format!("The body contains more than {FILES} files"))
}
