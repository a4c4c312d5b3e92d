use axum::http::HeaderValue;
use futures_util::{FutureExt, TryStreamExt, stream};
use proptest::prelude::*;

use super::*;

/// A form of these bytes, which arrive in pieces of this size.
fn form(text: &[u8], piece: usize) -> Multipart {
    let pieces: Vec<std::result::Result<Bytes, BoxError>> =
        text.chunks(piece.max(1)).map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let kind = HeaderValue::from_static("multipart/form-data; boundary=XX");
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, kind)]);
    Multipart::new(&headers, Body::from_stream(stream::iter(pieces))).expect("a form with files")
}

fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().expect("all of it is there")
}

/// The parts with their content.
fn parts(text: &[u8], piece: usize) -> Result<Vec<(FormPart, Vec<u8>)>> {
    let (mut form, mut parts) = (form(text, piece), Vec::new());
    while let Some(part) = now(form.next())? {
        let content: Vec<Bytes> = now(form.content().try_collect()).map_err(broken)?;
        parts.push((part, content.concat()));
    }
    Ok(parts)
}

fn written(contents: &[Vec<u8>]) -> Vec<u8> {
    let mut text = Vec::new();
    for content in contents {
        text.extend_from_slice(b"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\"\r\n\r\n");
        text.extend_from_slice(content);
        text.extend_from_slice(b"\r\n");
    }
    text.extend_from_slice(b"--XX--\r\n");
    text
}

#[test]
fn a_form_has_fields_and_files() {
    let text = b"--XX\r\nContent-Disposition: form-data; name=\"folder\"\r\n\r\nbin\r\n\
        --XX\r\ncontent-disposition: form-data; name=\"file\"; filename=\"a %22b%22.txt\"\r\nContent-Type: text/plain\r\n\r\n\
        meow\r\n--X\r\n\r\n--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\"\r\n\r\n\r\n--XX--";
    let part =
        |name: &str, file_name: Option<&str>| FormPart { name: name.into(), file_name: file_name.map(str::to_owned) };
    let expected = [
        (part("folder", None), b"bin".to_vec()),
        (part("file", Some("a \"b\".txt")), b"meow\r\n--X\r\n".to_vec()),
        (part("file", Some("")), Vec::new()),
    ];
    for piece in [1, 2, 3, 7, 1_000] {
        assert_eq!(parts(text, piece).expect("well formed"), expected, "{piece}");
    }
}

#[test]
fn names_without_quotes_are_taken() {
    let head = "Content-Disposition: form-data; name=package; filename=a.nupkg; filename*=utf-8''a.nupkg\r\n\r\n";
    let found = part(head).expect("a part");
    assert_eq!((found.name.as_str(), found.file_name.as_deref()), ("package", Some("a.nupkg")));
}

#[test]
fn what_nobody_reads_is_left_out() {
    let text = written(&[b"first".to_vec(), b"second".to_vec()]);
    let mut form = form(&text, 4);
    assert!(now(form.next()).expect("well formed").is_some() && now(form.next()).expect("well formed").is_some());
    assert_eq!(now(form.text()).expect("a text"), "second");
    assert_eq!(now(form.next()).expect("the end"), None);
}

#[test]
fn never_more_is_buffered_than_a_piece_of_the_body() {
    let text = written(&[vec![b'x'; 1 << 20]]);
    let mut form = form(&text, 1_000);
    now(form.next()).expect("well formed");
    let mut read = 0;
    while let Some(piece) = now(form.chunk()).expect("well formed") {
        read += piece.len();
        assert!(form.buffer.len() <= 1_000 + form.delimiter.len(), "{} bytes are kept", form.buffer.len());
    }
    assert_eq!(read, 1 << 20);
}

#[test]
fn what_is_broken_or_too_long_is_refused() {
    let long =
        format!("--XX\r\nContent-Disposition: form-data; name=\"{}\"\r\n\r\nx\r\n--XX--", "n".repeat(HEAD_BYTES));
    for bad in [
        "",
        "no boundary",
        "--XX\r\nContent-Disposition: form-data; name=\"a\"",
        "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nno end",
        "--XX\r\nContent-Type: text/plain\r\n\r\nno name\r\n--XX--",
        &long,
    ] {
        assert!(parts(bad.as_bytes(), 64).is_err(), "{bad:.60}");
    }
    let endless = written(&[vec![b'x'; FIELD_BYTES + 1]]);
    let mut form = form(&endless, 1_000);
    now(form.next()).expect("well formed");
    assert!(now(form.text()).is_err());
}

#[test]
fn only_forms_with_files_have_a_boundary() {
    assert_eq!(boundary("multipart/form-data; boundary=----abc"), Some("----abc"));
    assert_eq!(boundary("multipart/form-data; charset=utf-8; Boundary=\"a b\""), Some("a b"));
    let long = format!("multipart/form-data; boundary={}", "x".repeat(BOUNDARY_BYTES + 1));
    for other in ["", "text/plain; boundary=a", "multipart/form-data", "multipart/form-data; boundary=", &long] {
        assert_eq!(boundary(other), None, "{other}");
    }
}

proptest! {
    /// The files are unchanged however a body is split, and even if they contain text similar to a boundary.
    #[test]
    fn files_come_out_as_they_went_in(
        contents in prop::collection::vec("(\r|\n|-|X|\r\n--X|a){0,30}", 0..4),
        piece in 1_usize..40,
    ) {
        let contents: Vec<Vec<u8>> =
            contents.into_iter().map(String::into_bytes).filter(|one| !holds_boundary(one)).collect();
        let found = parts(&written(&contents), piece).expect("well formed");
        prop_assert_eq!(found.into_iter().map(|(_, content)| content).collect::<Vec<_>>(), contents);
    }
}

/// Senders choose a boundary that none of the files contains.
fn holds_boundary(content: &[u8]) -> bool {
    memmem::find(&[b"\r\n", content].concat(), b"\r\n--XX").is_some()
}
