//! Attributes of packages and versions.

use serde_json::{Value, json};
use suite::{Person, TestHouse};

use crate::catalogue::{moments, new_package, new_private_repo, new_repo, new_version};

const PACKAGE: &str = "/packages/ada/tools/cat/attributes";
const VERSION: &str = "/packages/ada/tools/cat/versions/1.0/attributes";

/// Starts a house where ada has a package with a version.
async fn start() -> (TestHouse, Person) {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    new_repo(&ada, "ada/tools").await;
    new_package(&ada, "ada/tools", "cat").await;
    new_version(&ada, "ada/tools/cat", "1.0").await;
    (house, ada)
}

/// Returns the type that the server infers for these values.
async fn kind_of(ada: &Person, values: Value) -> Value {
    let answer = ada.post(PACKAGE).json(json!([{ "name": "a", "values": values }])).await.expect(200).json();
    assert_eq!(answer[0]["values"], values);
    answer[0]["type"].clone()
}

#[tokio::test]
async fn the_type_is_found_from_the_values() {
    let (_house, ada) = start().await;
    for (values, kind) in [
        (json!(["x"]), "string"),
        (json!(["1"]), "string"),
        (json!(["true"]), "string"),
        (json!([]), "string"),
        (json!(null), "string"),
        (json!([null]), "string"),
        (json!([1]), "number"),
        (json!([1, -2.5, 1e300]), "number"),
        (json!([1, null]), "number"),
        (json!([true, false]), "boolean"),
        (json!(["2026-01-02T03:04:05Z"]), "date"),
        (json!(["2026-01-02T03:04:05.678+0100", "2026-01-02T03:04:05-05:00", null]), "date"),
        (json!(["2026-01-02"]), "string"),
        (json!(["2026-01-02T03:04:05"]), "string"),
        (json!(["2026-01-02T03:04:05Z", "soon"]), "string"),
    ] {
        assert_eq!(kind_of(&ada, values.clone()).await, kind, "{values}");
    }
}

#[tokio::test]
async fn a_given_type_wins_when_the_values_fit() {
    let (_house, ada) = start().await;
    for (values, given, kind) in [
        (json!(["2026-01-02T03:04:05Z"]), "STRING", "string"),
        (json!(["1.0"]), "Version", "version"),
        (json!(["2026-01-02T03:04:05Z"]), "date", "date"),
        (json!([null]), "number", "number"),
        (json!(null), "boolean", "boolean"),
    ] {
        let body = json!([{"name": "a", "values": values, "type": given}]);
        assert_eq!(ada.post(PACKAGE).json(body).await.expect(200).json()[0]["type"], kind);
    }
    for (values, given, value) in [
        (json!(["x"]), "date", "'x' is not a date"),
        (json!(["2026-01-02"]), "date", "'2026-01-02' is not a date"),
        (json!(["1"]), "number", "'1' is not a number"),
        (json!([1]), "string", "1 is not a string"),
        (json!([true]), "version", "true is not a version"),
        (json!([1]), "boolean", "1 is not a boolean"),
    ] {
        let body = json!([{"name": "a", "values": values, "type": given}]);
        ada.post(PACKAGE).json(body.clone()).await.refuses(400, &format!("[0]: attribute 'a': {value}"));
        ada.patch(PACKAGE).json(body).await.refuses(400, &format!("[0]: attribute 'a': {value}"));
    }
    let unknown = "[0].type: 'text' is not one of string, date, number, boolean, version";
    ada.post(PACKAGE).json(json!([{"name": "a", "values": [], "type": "text"}])).await.refuses(400, unknown);
}

#[tokio::test]
async fn mixed_kinds_are_refused_and_nothing_is_stored() {
    let (_house, ada) = start().await;
    let good = json!([{"name": "a", "values": [1], "type": "number"}]);
    ada.post(PACKAGE).json(good.clone()).await.expect(200);
    for mixed in [json!([1, "x"]), json!([true, 1]), json!(["x", null, false])] {
        let body = json!([{"name": "b", "values": ["fine"]}, {"name": "a", "values": mixed}]);
        for refused in [ada.post(PACKAGE).json(body.clone()).await, ada.patch(PACKAGE).json(body).await] {
            assert!(refused.expect(400).message().starts_with("[1]: attribute 'a': its values mix "));
        }
    }
    assert_eq!(ada.get(PACKAGE).await.expect(200).json(), good);
}

#[tokio::test]
async fn post_replaces_and_keeps_the_order_as_sent() {
    let (_house, ada) = start().await;
    for path in [PACKAGE, VERSION] {
        let first = json!([{"name": "z", "values": ["y", "x", "y"]}, {"name": "a", "values": [2, 1.5]}]);
        ada.post(path).json(first).await.expect(200);
        let second = json!([
            {"name": "m", "values": [true], "type": "boolean"},
            {"name": "B", "values": null, "type": "string"},
            {"name": "a", "values": [2, 1.5, 2], "type": "number"},
            {"name": "empty", "values": [], "type": "string"},
        ]);
        assert_eq!(ada.post(path).json(second.clone()).await.expect(200).json(), second);
        assert_eq!(ada.get(path).await.expect(200).json(), second);
        ada.post(path).json(json!([])).await.expect(200);
        assert_eq!(ada.get(path).await.expect(200).json(), json!([]));
    }
}

#[tokio::test]
async fn patch_changes_in_place_and_answers_with_all() {
    let (_house, ada) = start().await;
    for path in [PACKAGE, VERSION] {
        let first =
            json!([{"name": "c", "values": [1]}, {"name": "a", "values": ["x"]}, {"name": "b", "values": ["y"]}]);
        ada.post(path).json(first).await.expect(200);
        let change =
            json!([{"name": "new", "values": ["n"]}, {"name": "a", "values": null}, {"name": "b", "values": [2]}]);
        let all = json!([
            {"name": "c", "values": [1], "type": "number"},
            {"name": "a", "values": null, "type": "string"},
            {"name": "b", "values": [2], "type": "number"},
            {"name": "new", "values": ["n"], "type": "string"},
        ]);
        assert_eq!(ada.patch(path).json(change).await.expect(200).json(), all);
        assert_eq!(ada.get(path).await.expect(200).json(), all);
        assert_eq!(ada.patch(path).json(json!([])).await.expect(200).json(), all);
    }
}

#[tokio::test]
async fn names_choose_what_is_shown_and_deleted() {
    let (_house, ada) = start().await;
    for path in [PACKAGE, VERSION] {
        let names = async |query: &str| names(&ada.get(&format!("{path}{query}")).await.expect(200).json());
        let body = json!(["c", "a b", "b", "d"].map(|name| json!({"name": name, "values": [name]})));
        ada.post(path).json(body).await.expect(200);
        assert_eq!(names("?names=b,c").await, ["c", "b"]);
        assert_eq!(names("?names=a%20b,nothing").await, ["a b"]);
        assert_eq!(names("?names=").await, ["c", "a b", "b", "d"]);
        ada.get(&format!("{path}?names=a,,b")).await.refuses(400, "names: its name is empty");
        ada.delete(&format!("{path}?names=,")).await.refuses(400, "names: its name is empty");
        ada.delete(&format!("{path}?names=nothing,b")).await.refuses(200, "success");
        assert_eq!(names("").await, ["c", "a b", "d"]);
        ada.delete(&format!("{path}?names=nothing")).await.refuses(200, "success");
        ada.delete(path).await.refuses(200, "success");
        assert_eq!(names("").await, [""; 0]);
        ada.delete(&format!("{path}?names=")).await.refuses(200, "success");
    }
}

fn names(list: &Value) -> Vec<String> {
    let name = |attribute: &Value| attribute["name"].as_str().expect("a name").to_owned();
    list.as_array().expect("a list").iter().map(name).collect()
}

#[tokio::test]
async fn names_with_an_underscore_first_are_for_publishers() {
    let (house, ada) = start().await;
    let body = json!([{"name": "_secret", "values": [1]}, {"name": "plain", "values": [2]}]);
    for (path, of) in [(PACKAGE, "/packages/ada/tools/cat"), (VERSION, "/packages/ada/tools/cat/versions/1.0")] {
        ada.post(path).json(body.clone()).await.expect(200);
        let stranger = house.user(if of.contains("versions") { "eve" } else { "bob" }).await;
        for (who, seen) in
            [(&ada, vec!["_secret", "plain"]), (&stranger, vec!["plain"]), (&house.anyone(), vec!["plain"])]
        {
            assert_eq!(names(&who.get(path).await.expect(200).json()), seen);
            let detail = who.get(&format!("{of}?attribute_values=1")).await.expect(200).json();
            assert_eq!(detail["attribute_names"], json!(seen));
            assert_eq!(detail["attributes"].as_object().expect("by name").len(), seen.len());
        }
        assert_eq!(stranger.get(&format!("{path}?names=_secret")).await.expect(200).json(), json!([]));
    }
}

#[tokio::test]
async fn details_show_values_when_asked() {
    let (_house, ada) = start().await;
    let body = json!([{"name": "b", "values": [1, null]}, {"name": "a", "values": null}]);
    for (path, of) in [(PACKAGE, "/packages/ada/tools/cat"), (VERSION, "/packages/ada/tools/cat/versions/1.0")] {
        ada.post(path).json(body.clone()).await.expect(200);
        let shown = ada.get(&format!("{of}?attribute_values=1")).await.expect(200).json();
        assert_eq!(shown["attributes"], json!({"a": null, "b": [1, null]}));
        assert_eq!(shown["attribute_names"], json!(["b", "a"]));
        for silent in [of.to_owned(), format!("{of}?attribute_values=0")] {
            assert_eq!(ada.get(&silent).await.expect(200).json().get("attributes"), None);
        }
        ada.get(&format!("{of}?attribute_values=yes")).await.refuses(400, "attribute_values: 'yes' is not 0 or 1");
    }
}

#[tokio::test]
async fn updated_moves_with_the_attributes() {
    let (house, ada) = start().await;
    let (package, version) = ("/packages/ada/tools/cat", "/packages/ada/tools/cat/versions/1.0");
    let updated = async |of: &str| moments(&ada.get(of).await.expect(200).json()).1;
    house.clock.advance(1_000);
    ada.post(PACKAGE).json(json!([{"name": "a", "values": [1]}])).await.expect(200);
    assert_eq!(updated(package).await, "2026-01-15T12:00:01.000Z");
    assert_eq!(updated(version).await, "2026-01-15T12:00:00.000Z");
    house.clock.advance(1_000);
    ada.patch(VERSION).json(json!([{"name": "a", "values": [1]}])).await.expect(200);
    assert_eq!(updated(package).await, "2026-01-15T12:00:02.000Z");
    assert_eq!(updated(version).await, "2026-01-15T12:00:02.000Z");
    house.clock.advance(1_000);
    ada.delete(&format!("{VERSION}?names=nothing")).await.expect(200);
    assert_eq!(updated(version).await, "2026-01-15T12:00:02.000Z");
    ada.delete(VERSION).await.expect(200);
    assert_eq!(updated(version).await, "2026-01-15T12:00:03.000Z");
}

#[tokio::test]
async fn a_thousand_attributes_fit_and_no_more() {
    let (_house, ada) = start().await;
    let many = |from: usize, to: usize| {
        json!((from..to).map(|n| json!({"name": format!("a{n}"), "values": [n]})).collect::<Vec<_>>())
    };
    ada.post(PACKAGE).json(many(0, 1_001)).await.refuses(400, "attributes: there are 1001, more than 1000");
    ada.post(PACKAGE).json(many(0, 1_000)).await.expect(200);
    ada.patch(PACKAGE).json(many(999, 1_001)).await.refuses(400, "attributes: there are 1001, more than 1000");
    ada.patch(PACKAGE).json(many(500, 1_000)).await.expect(200);
    assert_eq!(ada.get(PACKAGE).await.expect(200).json().as_array().map(Vec::len), Some(1_000));
}

#[tokio::test]
async fn a_mebibyte_fits_and_no_more() {
    let (_house, ada) = start().await;
    // Twenty values, because a single one may not be that long.
    let body = |name: &str, size: usize| json!([{"name": name, "values": vec!["x".repeat(size / 20); 20]}]);
    ada.post(PACKAGE).json(body("a", 1_000_000)).await.expect(200);
    ada.post(PACKAGE).json(body("a", 1_048_580)).await.refuses(413, "The JSON body is larger than 1048576 bytes");
    let refused = ada.patch(PACKAGE).json(body("b", 100_000)).await.expect(400).message();
    assert_eq!(refused, "attributes: they have 1100002 bytes, more than 1048576");
    let values = json!([{"name": "a", "values": vec![1; 10_001]}]);
    ada.post(PACKAGE).json(values).await.refuses(400, "attributes: they have 10001 values, more than 10000");
    let values = json!([{"name": "a", "values": (0..10_000).collect::<Vec<_>>()}]);
    ada.post(PACKAGE).json(values).await.expect(200);
}

#[tokio::test]
async fn bad_input_names_the_place_and_stores_nothing() {
    let (_house, ada) = start().await;
    for (body, message) in [
        (r#"{"name":"a","values":[1]}"#, "The body must be a JSON list"),
        ("", "A JSON body is required"),
        (r#"[["a",[1]]]"#, "[0]: it must be a JSON object"),
        (r#"[{"name":"ok","values":[1]},{"values":[1]}]"#, "[1]: missing field `name`"),
        (r#"[{"name":"a"}]"#, "[0]: missing field `values`"),
        (r#"[{"name":1,"values":[1]}]"#, "[0].name: invalid type: integer `1`, expected a string"),
        (r#"[{"name":"a","values":1}]"#, "[0].values: invalid type: integer `1`, expected a sequence"),
        (r#"[{"name":"a","values":[[1]]}]"#, "[0].values[0]: it must be a text, a number, true, false or null"),
        (r#"[{"name":"a","values":[1,{}]}]"#, "[0].values[1]: it must be a text, a number, true, false or null"),
        (r#"[{"name":"","values":[1]}]"#, "[0]: attribute '': its name is empty"),
        (r#"[{"name":"a,b","values":[1]}]"#, "[0]: attribute 'a,b': its name holds a comma"),
        (r#"[{"name":"a\tb","values":[1]}]"#, "[0]: attribute 'a\tb': its name holds a control character"),
        (r#"[{"name":"a","values":[1]},{"name":"a","values":[2]}]"#, "attributes: attribute 'a' is given twice"),
    ] {
        for path in [PACKAGE, VERSION] {
            ada.post(path).body(body).await.refuses(400, message);
            ada.patch(path).body(body).await.refuses(400, message);
        }
    }
    for body in [r#"[{"name":"a","values":["\u0000"]}]"#, r#"[{"name":"a","values":[1e400]}]"#, "[", "[\"\u{1}\"]"] {
        assert!(ada.post(PACKAGE).body(body).await.expect(400).message().contains("not valid JSON"), "{body}");
    }
    let long = json!([{"name": "x".repeat(201), "values": [1]}]);
    assert!(ada.post(PACKAGE).json(long).await.expect(400).message().ends_with("its name is longer than 200 bytes"));
    assert_eq!(ada.get(PACKAGE).await.expect(200).json(), json!([]));
}

#[tokio::test]
async fn writing_is_for_publishers_and_hidden_is_missing() {
    let (house, ada) = start().await;
    let eve = house.user("eve").await;
    let body = json!([{"name": "a", "values": [1]}]);
    for path in [PACKAGE, VERSION] {
        for (call, anonymous) in
            [(eve.post(path), house.anyone().post(path)), (eve.patch(path), house.anyone().patch(path))]
        {
            call.json(body.clone()).await.refuses(403, "You may not do this");
            anonymous.await.refuses(401, "This resource requires authentication");
        }
        eve.delete(path).await.refuses(403, "You may not do this");
        house.anyone().delete(path).await.refuses(401, "This resource requires authentication");
        ada.post(path).json(body.clone()).await.expect(200);
        assert_eq!(house.anyone().get(path).await.expect(200).json()[0]["name"], "a");
    }
    ada.get("/packages/ada/tools/dog/attributes").await.refuses(404, "Package 'dog' was not found");
    ada.post("/packages/ada/tools/cat/versions/2.0/attributes").json(body.clone()).await.expect(404);
    ada.get("/packages/ada/tools/cat/versions/2.0/attributes").await.refuses(404, "Version '2.0' was not found");
    new_private_repo(&ada, "ada/secret").await;
    new_package(&ada, "ada/secret", "cat").await;
    for call in [eve.get("/packages/ada/secret/cat/attributes"), eve.delete("/packages/ada/secret/cat/attributes")] {
        call.await.refuses(404, "Repository 'secret' was not found");
    }
    eve.post("/packages/ada/secret/cat/attributes").json(body).await.refuses(404, "Repository 'secret' was not found");
}

#[tokio::test]
async fn attributes_go_with_their_object() {
    let (_house, ada) = start().await;
    let body = json!([{"name": "a", "values": [1, 2]}]);
    ada.post(VERSION).json(body.clone()).await.expect(200);
    ada.delete("/packages/ada/tools/cat/versions/1.0").await.expect(200);
    new_version(&ada, "ada/tools/cat", "1.0").await;
    assert_eq!(ada.get(VERSION).await.expect(200).json(), json!([]));
    ada.post(PACKAGE).json(body).await.expect(200);
    ada.delete("/packages/ada/tools/cat").await.expect(200);
    new_package(&ada, "ada/tools", "cat").await;
    assert_eq!(ada.get(PACKAGE).await.expect(200).json(), json!([]));
}
