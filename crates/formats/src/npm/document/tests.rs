//! Tests of `document`.

use serde_json::json;

use super::*;

fn attachment(name: &str) -> Attachment {
    Attachment { name: name.to_owned(), size_bytes: 12, shasum: "ab".repeat(20), integrity: "sha512-x/Y+==".to_owned() }
}

fn document() -> Value {
    json!({
        "_id": "@acme/hello", "name": "@acme/hello", "dist-tags": { "latest": "1.1.0" }, "access": null, "readme": "r",
        "versions": { "1.1.0": {
            "name": "@acme/hello", "version": "1.1.0",
            "dist": { "shasum": "ab".repeat(20), "integrity": "sha512-x/Y+==", "tarball": "http://x/" },
        } },
        "_attachments": { "@acme/hello-1.1.0.tgz": { "content_type": "application/octet-stream", "length": 12 } },
    })
}

fn publish(document: &Value, attachments: &[Attachment]) -> Result<NpmPublish, String> {
    let name = NpmName::parse("@acme/hello").expect("valid");
    NpmDocument::parse(&name, document.to_string().as_bytes())?.publish(attachments)
}

fn refusal(change: impl Fn(&mut Value)) -> String {
    let mut document = document();
    change(&mut document);
    publish(&document, &[attachment("@acme/hello-1.1.0.tgz")]).expect_err("a refusal")
}

#[test]
fn a_publish_has_one_version_and_one_tarball() {
    let files = [attachment("@acme/hello-1.1.0.sigstore"), attachment("@acme/hello-1.1.0.tgz")];
    let publish = publish(&document(), &files).expect("valid");
    assert_eq!((publish.version.to_string().as_str(), publish.tarball), ("1.1.0", 1));
    assert_eq!(publish.tags, ["latest"]);
    assert_eq!(publish.path.as_str(), "@acme/hello/-/hello-1.1.0.tgz");
    assert_eq!(publish.readme.as_deref(), Some("r"));
}

#[test]
fn attachments_are_checked() {
    let file = attachment("@acme/hello-1.1.0.tgz");
    assert_eq!(publish(&document(), &[]), Err("the document has no tarball attached".to_owned()));
    let two = publish(&document(), &[file.clone(), file.clone()]);
    assert_eq!(two, Err("the document has more than one tarball attached".to_owned()));
    assert!(publish(&document(), &[attachment("x.zip")]).is_err());
    let short = Attachment { size_bytes: 11, ..file.clone() };
    assert!(publish(&document(), &[short]).is_err());
    let other = Attachment { shasum: "cd".repeat(20), ..file.clone() };
    assert_eq!(
        publish(&document(), &[other]),
        Err("the tarball does not have the SHA-1 that the document names".to_owned())
    );
    let other = Attachment { integrity: "sha512-z".to_owned(), ..file };
    assert_eq!(
        publish(&document(), &[other]),
        Err("the tarball does not have the SHA-512 that the document names".to_owned())
    );
    let text = document().to_string();
    let twice = text.replacen("{\"_attachments\"", "{\"_attachments\":{},\"_attachments\"", 1);
    assert_ne!(twice, text);
    let name = NpmName::parse("@acme/hello").expect("valid");
    let refusal = NpmDocument::parse(&name, twice.as_bytes()).expect_err("twice");
    assert!(refusal.contains("key '_attachments' appears twice"), "{refusal}");
}

#[test]
fn names_and_versions_agree() {
    assert!(refusal(|d| d["name"] = json!("hello")).contains("the document has the name 'hello'"));
    assert!(refusal(|d| d["_id"] = json!("hello")).contains("the document has the _id 'hello'"));
    assert!(refusal(|d| drop(d.as_object_mut().expect("a map").remove("name"))).contains("no name"));
    assert!(
        refusal(|d| d["versions"]["1.1.0"]["name"] = json!("b")).contains("has the name 'b' instead of '@acme/hello'")
    );
    assert!(refusal(|d| d["versions"]["1.1.0"]["version"] = json!("1.1.1")).contains("says that it is '1.1.1'"));
    for key in ["__proto__", "constructor", "latest"] {
        assert!(refusal(|d| d["versions"] = json!({ key: {} })).starts_with("version '"), "{key}");
    }
    assert!(refusal(|d| d["versions"] = json!({})).contains("exactly one version"));
    assert!(refusal(|d| d["versions"]["1.2.0"] = json!({})).contains("exactly one version"));
    assert!(refusal(|d| d["versions"] = json!([])).contains("no versions"));
}

#[test]
fn tags_are_on_the_version() {
    assert!(refusal(|d| d["dist-tags"]["next"] = json!("2.0.0")).contains("tag 'next' names a version that"));
    assert!(refusal(|d| d["dist-tags"]["1.0.0"] = json!("1.1.0")).contains("it looks like a version"));
    assert!(refusal(|d| d["dist-tags"]["__proto__"] = json!("1.1.0")).contains("it is reserved"));
    assert!(refusal(|d| d["dist-tags"]["latest"] = json!(1)).contains("tag 'latest'"));
}

#[test]
fn other_documents_are_refused() {
    let name = NpmName::parse("a").expect("valid");
    let parse = |bytes: &[u8]| NpmDocument::parse(&name, bytes).expect_err("a refusal");
    assert_eq!(parse(b"[]"), "the document is not an object");
    assert!(parse(b"{").starts_with("the document is not valid"));
    assert!(parse("[".repeat(1_000).as_bytes()).contains("nested more than 64 levels deep"));
    assert_eq!(parse(&vec![b' '; DOCUMENT_BYTES + 1]), "the document is larger than 4194304 bytes");
}
