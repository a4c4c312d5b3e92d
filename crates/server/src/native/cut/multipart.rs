//! A form; its parts with a file name are files.

use axum::{body::Body, http::HeaderMap};
use operations::native::NativeUpload;
use web::{
    error::{Failure, Result},
    multipart::Multipart,
};

use super::{FILES, TEXT_BYTES, too_many_files, too_much_text};

/// The most parts of a form.
const PARTS: usize = 10_000;

/// Reads a form: stores its files, and keeps its texts.
pub(in crate::native) async fn cut(upload: &mut NativeUpload<'_>, headers: &HeaderMap, body: Body) -> Result<()> {
    let mut form = Multipart::new(headers, body)?;
    let mut counts = Counts::default();
    while let Some(part) = form.next().await? {
        counts.add_text(part.name.len())?;
        match part.file_name {
            None => {
                let value = form.text_within(counts.text_left()).await?;
                counts.add_part(false)?;
                counts.add_text(value.len())?;
                upload.add_field(part.name, value);
            }
            Some(file_name) => {
                counts.add_part(true)?;
                counts.add_text(file_name.len())?;
                upload.receive(part.name, file_name, form.content()).await?;
            }
        }
    }
    Ok(())
}

/// How much a form has contained so far.
#[derive(Default)]
struct Counts {
    parts: usize,
    files: usize,
    text_bytes: usize,
}

impl Counts {
    fn add_part(&mut self, is_file: bool) -> Result<()> {
        self.parts += 1;
        self.files += usize::from(is_file);
        if self.parts > PARTS {
            return Err(Failure::bad_request(format!("The form has more than {PARTS} fields")));
        }
        if self.files > FILES { Err(too_many_files()) } else { Ok(()) }
    }

    fn add_text(&mut self, bytes: usize) -> Result<()> {
        self.text_bytes += bytes;
        if self.text_bytes > TEXT_BYTES { Err(too_much_text()) } else { Ok(()) }
    }

    fn text_left(&self) -> usize {
        TEXT_BYTES - self.text_bytes.min(TEXT_BYTES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_files_and_texts_are_bounded() {
        let mut counts = Counts::default();
        for _ in 0..FILES {
            counts.add_part(true).expect("few");
        }
        assert!(counts.add_part(true).is_err());
        let mut counts = Counts::default();
        for _ in 0..PARTS {
            counts.add_part(false).expect("few");
        }
        assert!(counts.add_part(false).is_err());
        let mut counts = Counts::default();
        counts.add_text(TEXT_BYTES - 1).expect("it fits");
        assert_eq!(counts.text_left(), 1);
        assert!(counts.add_text(1).is_ok() && counts.add_text(1).is_err());
    }
}
