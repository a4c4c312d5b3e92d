use ::base64::{Engine, prelude::BASE64_STANDARD};
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use super::*;

type Files = Vec<(String, Vec<u8>)>;

/// Scans a document that arrives in pieces of this size.
fn scan(text: &[u8], piece: usize) -> Result<(Vec<u8>, Files)> {
    let (mut scanner, mut files) = (Scanner::default(), Files::new());
    for piece in text.chunks(piece.max(1)) {
        let mut input = Bytes::copy_from_slice(piece);
        loop {
            match scanner.step(&mut input)? {
                Step::Nothing => break,
                Step::File(key) => files.push((key, Vec::new())),
                Step::Content(content) => files.last_mut().expect("a file").1.extend(content),
                Step::End => {}
            }
        }
    }
    Ok((scanner.finish()?, files))
}

/// What a reader of the whole document finds; `None` if it is not valid.
fn read(text: &[u8]) -> Option<(Value, Files)> {
    let mut document: Value = serde_json::from_slice(text).ok()?;
    let mut files = Files::new();
    if let Some(attachments) = document.as_object_mut()?.get_mut("_attachments").and_then(Value::as_object_mut) {
        for (key, attachment) in attachments {
            if let Some(data) = attachment.as_object_mut().and_then(|attachment| attachment.get_mut("data"))
                && let Some(encoded) = data.as_str()
            {
                files.push((key.clone(), BASE64_STANDARD.decode(encoded).ok()?));
                *data = json!("");
            }
        }
    }
    files.sort();
    Some((document, files))
}

fn same(text: &[u8], piece: usize) -> Option<()> {
    let (rest, mut files) = scan(text, piece).ok()?;
    files.sort();
    // Texts that are not UTF-8 are left to the reader of the rest.
    let rest: Option<Value> = serde_json::from_slice(&rest).ok();
    assert_eq!(rest.map(|rest| (rest, files)), read(text));
    Some(())
}

#[test]
fn attachments_come_out_and_the_rest_stays_as_it_was() {
    let text = br#" {"name":"@a\/b", "_attachments" : {"b-1.tgz":{"content_type":"x","data":"bWVvdw==","length":4}},"data":"bWVvdw=="} "#;
    let left = br#" {"name":"@a\/b", "_attachments" : {"b-1.tgz":{"content_type":"x","data":"","length":4}},"data":"bWVvdw=="} "#;
    for piece in [1, 2, 3, 5, 1_000] {
        let (rest, files) = scan(text, piece).expect("well formed");
        assert_eq!(rest, left);
        assert_eq!(files, [("b-1.tgz".to_owned(), b"meow".to_vec())]);
    }
}

#[test]
fn escapes_are_read_in_keys_and_in_content() {
    let text = br#"{"\u005fattachments":{"\u0061":{"d\u0061ta":"\u0062WVv\/w=\u003d"}}}"#;
    for piece in [1, 4, 100] {
        let (_, files) = scan(text, piece).expect("well formed");
        assert_eq!(files, [("a".to_owned(), BASE64_STANDARD.decode("bWVv/w==").expect("base64"))]);
    }
}

#[test]
fn data_elsewhere_is_no_file() {
    for text in [
        r#"{"data":"x"}"#,
        r#"{"versions":{"1":{"data":"x"}}}"#,
        r#"{"_attachments":{}}"#,
        r#"{"_attachments":null}"#,
        r#"{"_attachments":[{"data":"x"}]}"#,
        r#"{"_attachments":{"data":"x"}}"#,
        r#"{"_attachments":{"a":{"data":7}}}"#,
        r#"{"_attachments":{"a":{"x":{"data":"x"}}}}"#,
        r#"{"_attachments":{"a":[{"data":"x"}]}}"#,
        r#"{"a":{"_attachments":{"a":{"data":"x"}}}}"#,
    ] {
        let (rest, files) = scan(text.as_bytes(), 3).expect(text);
        assert_eq!((rest, files), (text.as_bytes().to_vec(), Files::new()));
    }
}

#[test]
fn broken_documents_are_refused() {
    let deep = format!("{{\"a\":{}1{}}}", "[".repeat(DEPTH), "]".repeat(DEPTH));
    for text in [
        "",
        "  ",
        "[]",
        "7",
        "{",
        "{}}",
        "{}x",
        "{]",
        "{\"a\"}",
        "{\"a\":\"",
        &deep,
        r#"{"_attachments":{},"_attachments":{}}"#,
        r#"{"_attachments":{},"_attachment\u0073":{}}"#,
        r#"{"_attachments":{"a":{},"\u0061":{}}}"#,
        r#"{"_attachments":{"a":{"data":"","data":""}}}"#,
        r#"{"_attachments":{"a":{"data":"" "bWVvdw=="}}}"#,
        r#"{"_attachments":{"a":{"data":"bWV"}}}"#,
        r#"{"_attachments":{"a":{"data":"bWVvdw="}}}"#,
        r#"{"_attachments":{"a":{"data":"bWVvdw==bWVv"}}}"#,
        r#"{"_attachments":{"a":{"data":"bWVvdw==="}}}"#,
        r#"{"_attachments":{"a":{"data":"bW\nVv"}}}"#,
        r#"{"_attachments":{"a":{"data":"bW Vv"}}}"#,
        r#"{"_attachments":{"a":{"data":"bWV\u2028"}}}"#,
        r#"{"_attachments":{"a":{"data":"bWVv"#,
    ] {
        for piece in [1, 1_000] {
            assert_eq!(scan(text.as_bytes(), piece).expect_err(text).status(), 400, "{text}");
        }
    }
}

#[test]
fn the_rest_is_bounded() {
    let long = format!("{{\"a\":\"{}\"}}", "x".repeat(TEXT_BYTES));
    assert_eq!(scan(long.as_bytes(), 1 << 16).expect_err("too long").status(), 413);
    let data = BASE64_STANDARD.encode(vec![7; TEXT_BYTES + 5]);
    let text = format!(r#"{{"_attachments":{{"a":{{"data":"{data}"}}}}}}"#);
    let (rest, files) = scan(text.as_bytes(), 1 << 16).expect("content has another limit");
    assert_eq!((rest.len(), files[0].1.len()), (text.len() - data.len(), TEXT_BYTES + 5));
}

/// Any document, with attachments or what looks like them.
fn document() -> impl Strategy<Value = Value> {
    let key = prop_oneof![Just("data".to_owned()), Just("_attachments".to_owned()), "[a-z\"\\\\/é]{0,3}"];
    let content = proptest::collection::vec(any::<u8>(), 0..20).prop_map(|bytes| json!(BASE64_STANDARD.encode(bytes)));
    let leaf =
        prop_oneof![Just(json!(null)), Just(json!(-1.5e3)), any::<String>().prop_map(Value::from), content.clone()];
    let value = leaf.prop_recursive(3, 20, 4, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..3).prop_map(Value::from),
            proptest::collection::hash_map(key.clone(), inner, 0..3).prop_map(|map| Value::Object(Map::from_iter(map))),
        ]
    });
    let attachment = (content, value.clone()).prop_map(|(data, other)| json!({ "x": other, "data": data }));
    let attachments = proptest::collection::hash_map("[a-z\"\\\\é]{0,4}", attachment, 0..3);
    (value, attachments).prop_map(|(value, attachments)| {
        json!({ "a": value, "_attachments": Value::Object(Map::from_iter(attachments)), "z": value })
    })
}

proptest! {
    #[test]
    fn a_valid_document_reads_as_the_whole_one(document in document(), is_pretty: bool, piece in 1_usize..40) {
        let text = if is_pretty { serde_json::to_vec_pretty(&document) } else { serde_json::to_vec(&document) };
        let text = text.expect("JSON");
        prop_assert!(same(&text, piece).is_some());
    }

    #[test]
    fn a_damaged_document_is_refused_or_still_reads_as_the_whole_one(
        document in document(), place: prop::sample::Index, byte: u8, is_inserted: bool, piece in 1_usize..40,
    ) {
        let mut text = serde_json::to_vec(&document).expect("JSON");
        let place = place.index(text.len());
        if is_inserted { text.insert(place, byte) } else { text[place] = byte }
        same(&text, piece);
    }

    #[test]
    fn no_bytes_bring_it_down(text in proptest::collection::vec(prop_oneof![
        Just(b"{".to_vec()), Just(b"}".to_vec()), Just(b"[".to_vec()), Just(b"]".to_vec()), Just(b"\"".to_vec()),
        Just(b",".to_vec()), Just(b":".to_vec()), Just(b"\\".to_vec()), Just(b"\"_attachments\":{".to_vec()),
        Just(b"\"a\":{".to_vec()), Just(b"\"data\":\"".to_vec()), Just(b"bWVv".to_vec()), Just(b"=".to_vec()),
        any::<u8>().prop_map(|byte| vec![byte]),
    ], 0..40), piece in 1_usize..10) {
        same(&text.concat(), piece);
    }
}
