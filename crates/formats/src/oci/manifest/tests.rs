use proptest::prelude::*;
use serde_json::json;

use super::*;

#[test]
fn facts_tell_the_media_type() {
    for media_type in MEDIA_TYPES {
        let text = format!("{{\"mediaType\":\"{media_type}\"}}");
        assert_eq!(media_type_of_facts(&text), media_type);
        assert!(ManifestKind::of_media_type(media_type).is_some());
    }
    assert_eq!(media_type_of_facts("no facts"), MEDIA_TYPES[0]);
}

const IMAGE: &str = "application/vnd.oci.image.manifest.v1+json";

fn digest(byte: &str) -> String {
    format!("sha256:{}", byte.repeat(32))
}

fn descriptor(byte: &str) -> Value {
    json!({ "mediaType": "application/vnd.oci.image.layer.v1.tar+gzip", "digest": digest(byte), "size": 7 })
}

fn sample() -> Value {
    json!({
        "schemaVersion": 2,
        "mediaType": IMAGE,
        "config": { "mediaType": "application/vnd.oci.image.config.v1+json", "digest": digest("aa"), "size": 2 },
        "layers": [descriptor("bb"), descriptor("cc")],
        "annotations": { "a": "b" },
        "unknown": [1, 2],
    })
}

fn parse_value(content_type: &str, value: &Value) -> Result<OciManifest, OciError> {
    OciManifest::parse(content_type, value.to_string().as_bytes())
}

fn refusal(content_type: &str, value: &Value) -> String {
    let error = parse_value(content_type, value).expect_err("a refusal");
    assert_eq!(error.code, OciErrorCode::ManifestInvalid);
    error.message
}

fn with(key: &str, value: Value) -> Value {
    let mut sample = sample();
    sample[key] = value;
    sample
}

#[test]
fn an_image_has_a_configuration_and_layers() {
    let manifest = parse_value(&format!("{IMAGE}; charset=utf-8"), &sample()).expect("valid");
    assert_eq!((manifest.kind, manifest.media_type.as_str()), (ManifestKind::Image, IMAGE));
    assert_eq!(manifest.artifact_type.as_deref(), Some("application/vnd.oci.image.config.v1+json"));
    assert_eq!(manifest.blobs().map(|blob| blob.size_bytes).collect::<Vec<_>>(), [2, 7, 7]);
    assert_eq!((manifest.manifests(), manifest.annotations["a"].as_str()), (&[][..], "b"));
    assert!(manifest.subject.is_none());
    let docker = "application/vnd.docker.distribution.manifest.v2+json";
    assert!(parse_value(docker, &with("mediaType", json!(docker))).is_ok());
    assert!(parse_value(IMAGE, &with("layers", Value::Null)).is_ok());
}

#[test]
fn an_index_has_manifests_with_platforms() {
    let mut child = descriptor("dd");
    child["platform"] = json!({ "os": "linux", "architecture": "arm64", "variant": "v8" });
    let index = json!({ "schemaVersion": 2, "manifests": [child], "artifactType": "application/vnd.acme" });
    let manifest = parse_value(INDEX_TYPE, &index).expect("valid");
    let platform = manifest.manifests()[0].platform.as_ref().expect("a platform");
    assert_eq!((platform.os.as_str(), platform.architecture.as_str()), ("linux", "arm64"));
    assert_eq!((manifest.blobs().count(), manifest.artifact_type.as_deref()), (0, Some("application/vnd.acme")));
}

#[test]
fn foreign_layers_need_no_blob() {
    let mut layer = descriptor("ee");
    layer["urls"] = json!(["https://example.com/layer"]);
    let manifest = parse_value(IMAGE, &with("layers", json!([layer]))).expect("valid");
    assert_eq!(manifest.blobs().count(), 1);
    layer["urls"] = json!("https://example.com/layer");
    assert!(refusal(IMAGE, &with("layers", json!([layer]))).contains("urls of layer 0"));
}

#[test]
fn a_subject_may_be_unknown_but_not_the_manifest_itself() {
    let manifest = parse_value(IMAGE, &with("subject", descriptor("ff"))).expect("valid");
    assert_eq!(manifest.subject.as_ref().map(|subject| subject.digest.as_str()), Some(digest("ff").as_str()));
    let own = |byte: &str| OciDigest::parse(&digest(byte)).expect("a digest");
    assert!(manifest.check_digest(&own("ff")).is_err());
    assert_eq!(manifest.check_digest(&own("aa")), Ok(()));
}

#[test]
fn contradictions_are_refused() {
    for (content_type, value, reason) in [
        ("application/vnd.docker.distribution.manifest.v1+prettyjws", sample(), "is not supported"),
        ("application/json", sample(), "is not supported"),
        (INDEX_TYPE, sample(), "differs from the Content-Type"),
        (IMAGE, with("schemaVersion", json!(1)), "schemaVersion is not 2"),
        (IMAGE, with("manifests", json!([])), "an image has no manifests"),
        (IMAGE, with("layers", json!({})), "it has no layers"),
        (IMAGE, with("config", json!([])), "the config is not an object"),
        (IMAGE, with("annotations", json!({ "a": 1 })), "the annotation 'a' of the manifest is not a text"),
        (IMAGE, with("artifactType", json!("a\r\nb")), "is not a media type"),
        (IMAGE, json!([]), "it is not a JSON object"),
        (IMAGE, json!({ "schemaVersion": 2, "layers": [] }), "it has no config"),
        (INDEX_TYPE, json!({ "schemaVersion": 2, "manifests": [], "layers": [] }), "an index has no config"),
    ] {
        let message = refusal(content_type, &value);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn wrong_descriptors_are_refused() {
    for (key, value, reason) in [
        ("size", json!(-1), "the size of layer 1 is not a whole number"),
        ("size", json!(9_007_199_254_740_992_u64), "the size of layer 1 is not a whole number"),
        ("size", json!(1.5), "the size of layer 1 is not a whole number"),
        ("digest", json!("sha256:zz"), "layer 1: digest 'sha256:zz' is not valid"),
        ("digest", json!(7), "the digest of layer 1 is not a text"),
        ("mediaType", Value::Null, "layer 1 has no mediaType"),
    ] {
        let mut layer = descriptor("bb");
        layer[key] = value;
        let message = refusal(IMAGE, &with("layers", json!([descriptor("aa"), layer])));
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn sizes_are_bounded() {
    let layers = vec![descriptor("bb"); 10_001];
    assert!(refusal(IMAGE, &with("layers", json!(layers))).contains("more than 10000 layers"));
    let mut large = with("annotations", json!({ "a": "x".repeat(3 << 20) }));
    assert!(parse_value(IMAGE, &large).is_ok());
    // Those of a manifest with a subject come back in every list of referrers.
    large["subject"] = descriptor("dd");
    assert!(refusal(IMAGE, &large).contains("256 KiB"));
    let deep = format!("{{\"schemaVersion\":2,\"x\":{}{}}}", "[".repeat(200), "]".repeat(200));
    let error = OciManifest::parse(IMAGE, deep.as_bytes()).expect_err("too deep");
    assert!(error.message.contains("nested more than 64 levels"), "{}", error.message);
    let many = format!("{{\"layers\":[{}]}}", vec!["{}"; 2_000_000].join(","));
    let error = OciManifest::parse(IMAGE, many.as_bytes()).expect_err("too large");
    assert_eq!((error.status, error.message.as_str()), (413, "the manifest is larger than 4 MiB"));
}

#[test]
fn a_repeated_key_is_refused() {
    let text = sample().to_string().replacen("{", "{\"schemaVersion\":1,", 1);
    let error = OciManifest::parse(IMAGE, text.as_bytes()).expect_err("a key appears twice");
    assert!(error.message.contains("key 'schemaVersion' appears twice"), "{}", error.message);
}

#[test]
fn stored_content_must_fit_the_descriptor() {
    let manifest = parse_value(IMAGE, &sample()).expect("valid");
    let config = manifest.config.expect("a configuration");
    assert_eq!(check_size(&config, 2), Ok(()));
    assert!(check_size(&config, 3).expect_err("another size").message.ends_with("has 2 bytes, but it has 3"));
    assert_eq!(unknown_content(&config).status, 404);
}

proptest! {
    #[test]
    fn facts_survive_storage(sizes in prop::collection::vec(0_u64..(1 << 53), 0..9)) {
        let layer = |size: &u64| json!({ "mediaType": "a/b", "digest": digest("bb"), "size": size });
        let manifest = parse_value(IMAGE, &with("layers", sizes.iter().map(layer).collect())).expect("valid");
        let stored = serde_json::to_vec(&manifest).expect("plain data");
        prop_assert_eq!(serde_json::from_slice::<OciManifest>(&stored).expect("plain data"), manifest);
    }

    #[test]
    fn any_text_is_parsed_or_refused(text in "[\\[\\]{}\":,a-z0-9]{0,60}") {
        let _ = OciManifest::parse(IMAGE, text.as_bytes());
    }
}
