use super::{super::nuspec::tests::sample, *};

fn version(text: &str) -> RegisteredVersion {
    let more = "<dependencies><dependency id=\"B\" version=\"1\"/></dependencies>";
    RegisteredVersion {
        version: NugetVersion::parse(text).expect("a version"),
        nuspec: Nuspec::parse(sample("Acme.Hello", text, more).as_bytes()).expect("a nuspec"),
        published: Timestamp::EPOCH,
        is_unlisted: false,
        deprecation: None,
    }
}

fn read(text: &str) -> Value {
    serde_json::from_str(&text.replace(BASE, "BASE")).expect("JSON")
}

#[test]
fn a_small_registration_is_one_document() {
    let mut old = version("1.0");
    old.is_unlisted = true;
    old.deprecation = Some("use 1.1".to_owned());
    let index = read(&registration_index(&[version("1.1.0"), old]).expect("versions"));
    assert_eq!((&index["@id"], &index["count"]), (&json!("BASE/registration/acme.hello/index.json"), &json!(1)));
    let page = &index["items"][0];
    assert_eq!(page["@id"], "BASE/registration/acme.hello/index.json#page/1.0.0/1.1.0");
    assert_eq!((&page["lower"], &page["upper"], &page["count"]), (&json!("1.0.0"), &json!("1.1.0"), &json!(2)));
    let leaf = &page["items"][0];
    assert_eq!(leaf["packageContent"], "BASE/flat/acme.hello/1.0.0/acme.hello.1.0.0.nupkg");
    let entry = &leaf["catalogEntry"];
    assert_eq!((&entry["id"], &entry["version"]), (&json!("Acme.Hello"), &json!("1.0.0")));
    assert_eq!((&entry["listed"], &entry["published"]), (&json!(false), &json!(UNLISTED)));
    assert_eq!(entry["deprecation"]["message"], "use 1.1");
    assert_eq!(entry["dependencyGroups"], json!([{ "dependencies": [{ "id": "B", "range": "[1.0.0, )" }] }]));
    assert_eq!(page["items"][1]["catalogEntry"]["published"], "1970-01-01T00:00:00Z");
    assert_eq!(registration_index(&[]), None);
}

#[test]
fn a_large_registration_has_pages() {
    let versions: Vec<RegisteredVersion> = (0..129).map(|patch| version(&format!("1.0.{patch}"))).collect();
    let index = read(&registration_index(&versions).expect("versions"));
    assert_eq!(index["count"], 3);
    assert_eq!(index["items"][2]["count"], 1);
    assert_eq!(index["items"][0]["items"], Value::Null);
    assert_eq!(index["items"][1]["@id"], "BASE/registration/acme.hello/page/1.0.64/1.0.127.json");
    let pages = registration_pages(&versions);
    assert_eq!(pages[1].0, "registration/acme.hello/page/1.0.64/1.0.127.json");
    assert_eq!(read(&pages[1].1)["items"].as_array().expect("items").len(), 64);
    assert_eq!(registration_pages(&versions[..9]), []);
}

#[test]
fn a_leaf_names_its_package() {
    let leaf = read(&registration_leaf(&version("1.0")));
    assert_eq!(leaf["@id"], "BASE/registration/acme.hello/1.0.0.json");
    assert_eq!(leaf["catalogEntry"]["description"], "Says <hello>");
    assert_eq!(leaf["listed"], true);
}
