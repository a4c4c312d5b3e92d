//! The API's description, for programs and for people.

use std::collections::BTreeSet;

use serde_json::Value;
use suite::TestHouse;

use crate::wire::NONE;

/// Returns the values of all `href` and `src` attributes.
pub(crate) fn references(page: &str) -> Vec<String> {
    let attributes = page.split("href=\"").skip(1).chain(page.split("src=\"").skip(1));
    attributes.filter_map(|rest| rest.split('"').next()).map(str::to_owned).collect()
}

#[tokio::test]
async fn the_page_names_every_call() {
    let house = TestHouse::start().await;
    let page = house.anyone().get("/docs").await.expect(200);
    assert!(page.header("content-type").starts_with("text/html"));
    let text = page.text();
    let line = |endpoint: &server::Endpoint| format!("-X {}", endpoint.method);
    let missing = server::endpoints().into_iter().filter(|endpoint| {
        let address = format!("http://{}/api{}", house.address, endpoint.path);
        let curl = text.lines().any(|shown| shown.contains(&line(endpoint)) && shown.contains(&format!("{address}<")));
        !curl || !text.contains(endpoint.summary.replace('\'', "&#39;").as_str())
    });
    assert_eq!(missing.map(|endpoint| format!("{} {}", endpoint.method, endpoint.path)).collect::<Vec<_>>(), NONE);
}

#[tokio::test]
async fn the_pages_load_nothing_from_elsewhere() {
    let house = TestHouse::start().await;
    let own = format!("http://{}", house.address);
    for path in ["/docs", "//"] {
        let text = house.anyone().get(path).await.expect(200).text();
        let foreign = text.replace(&own, "").matches("://").count();
        assert_eq!(foreign, 0, "{path}: {text}");
        let scripts = text.matches("<script").count();
        assert_eq!(text.matches(" src=\"/assets/page.").count(), scripts, "{path}");
        assert!(!text.contains("@import"), "{path}");
        // The API may have a host of its own, so its page names that of the pages.
        let home = format!("http://{}", house.address);
        let is_own = |address: &String| {
            address.starts_with(['/', '#']) && !address.starts_with("//") || address.starts_with(&home)
        };
        assert!(references(&text).iter().all(is_own), "{path}");
    }
}

#[tokio::test]
async fn what_the_pages_refer_to_is_there() {
    let house = TestHouse::start().await;
    for path in ["/docs", "//"] {
        let text = house.anyone().get(path).await.expect(200).text();
        for address in references(&text).iter().filter(|address| address.starts_with('/')) {
            house.anyone().get(&format!("/{address}")).await.expect(200);
        }
        for anchor in references(&text).iter().filter_map(|address| address.strip_prefix('#')) {
            assert!(text.contains(&format!("id=\"{anchor}\"")), "{path}#{anchor}");
        }
    }
}

#[tokio::test]
async fn the_style_of_the_pages_loads_nothing_of_others_either() {
    let house = TestHouse::start().await;
    let page = house.anyone().get("/docs").await.expect(200).text();
    let address = references(&page).into_iter().find(|address| address.ends_with(".css")).expect("a style");
    let style = house.anyone().get(&format!("/{address}")).await.expect(200);
    assert!(style.header("content-type").starts_with("text/css"));
    let text = style.text();
    let loaded: Vec<&str> = text.split("url(").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(loaded.iter().all(|address| address.trim_matches('"').starts_with("/assets/")), "{loaded:?}");
    assert!(!text.contains("@import"));
}

#[tokio::test]
async fn the_description_lists_every_call_and_no_other() {
    let house = TestHouse::start().await;
    let description = house.anyone().get("/openapi.json").await.expect(200);
    assert_eq!(description.header("content-type"), "application/json");
    let paths = description.json()["paths"].as_object().expect("there are paths").clone();
    let listed: BTreeSet<String> = paths.iter().flat_map(|(path, calls)| methods(path, calls)).collect();
    let known = server::endpoints().into_iter().map(|endpoint| format!("{} {}", endpoint.method, endpoint.path));
    let download = "GET /{subject}/{repo}/{file_path}".to_owned();
    assert_eq!(listed, known.chain([download]).collect());
}

fn methods(path: &str, calls: &Value) -> Vec<String> {
    let names = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
    let present = names.into_iter().filter(|name| calls[*name].is_object());
    present.map(|name| format!("{} {path}", name.to_uppercase())).collect()
}

#[tokio::test]
async fn every_variable_of_a_path_is_described() {
    let house = TestHouse::start().await;
    let description = house.anyone().get("/openapi.json").await.expect(200).json();
    for endpoint in server::endpoints() {
        let call = &description["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        let parameters = call["parameters"].as_array().cloned().unwrap_or_default();
        let named = parameters.iter().filter(|parameter| parameter["in"] == "path" && parameter["required"] == true);
        assert_eq!(named.count(), endpoint.path.matches('{').count(), "{}", endpoint.path);
        assert!(call["responses"][endpoint.status.to_string()].is_object(), "{}", endpoint.path);
    }
}

#[tokio::test]
async fn every_reference_in_the_description_leads_somewhere() {
    let house = TestHouse::start().await;
    let description = house.anyone().get("/openapi.json").await.expect(200).json();
    let mut references = Vec::new();
    collect_references(&description, &mut references);
    assert!(references.len() > 10);
    let target = |reference: &String| description.pointer(reference.strip_prefix('#').unwrap_or("/nowhere")).is_none();
    references.retain(target);
    assert_eq!(references, NONE);
}

#[tokio::test]
async fn every_call_has_a_name_of_its_own_a_text_and_its_failures() {
    let house = TestHouse::start().await;
    let description = house.anyone().get("/openapi.json").await.expect(200).json();
    let mut names = BTreeSet::new();
    for endpoint in server::endpoints() {
        let call = &description["paths"][endpoint.path][endpoint.method.as_str().to_lowercase()];
        let name = call["operationId"].as_str().unwrap_or_default().to_owned();
        let is_plain =
            name.chars().all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_');
        assert!(!name.is_empty() && is_plain, "{} {name}", endpoint.path);
        assert!(names.insert(name.clone()), "two calls are called {name}");
        let text = call["description"].as_str().unwrap_or_default();
        assert!(text.ends_with(&format!("Permission: {}", endpoint.permission())), "{name}: {text}");
        assert!(call["responses"]["401"]["$ref"].is_string(), "{name}");
        let is_open =
            call["security"].as_array().is_some_and(|ways| ways.iter().any(|way| way == &serde_json::json!({})));
        assert_eq!(is_open, endpoint.is_public(), "{name}");
    }
}

/// What the description says about credentials is what the server does: calls that are not public refuse strangers, and
/// public ones do not ask them to sign in.
#[tokio::test]
async fn calls_that_are_not_public_refuse_strangers() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(serde_json::json!({})).await.expect(201);
    for endpoint in server::endpoints() {
        let path = endpoint.path.replace("{subject}", "ada").replace("{user}", "ada").replace("{org}", "ada");
        let path = path.replace("{repo}", "tools").replace("{file_path}", "x").replace(['{', '}'], "");
        let answer = house.anyone().call(endpoint.method.clone(), &path).await;
        let is_refused = answer.status == 401;
        // Registration is closed here, and a stream of numbers is for publishers unless its package says otherwise.
        let may_differ = endpoint.permission().contains("; everyone if `") || endpoint.permission().contains("has `");
        assert!(is_refused != endpoint.is_public() || may_differ, "{} {path}: {}", endpoint.method, answer.status);
    }
}

#[tokio::test]
async fn slashes_of_file_paths_may_be_escaped() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/repos/ada/tools").json(serde_json::json!({})).await.expect(201);
    ada.post("/packages/ada/tools").json(serde_json::json!({"name": "cat"})).await.expect(201);

    ada.put("/content/ada/tools/cat%2F1.0%2Fbin%2Fcat.txt?publish=1").body("meow").await.expect(201);

    for path in ["/ada/tools/bin/cat.txt", "/ada/tools/bin%2Fcat.txt"] {
        assert_eq!(house.anyone().download(path).await.expect(200).text(), "meow", "{path}");
    }
    let version = house.anyone().get("/file_version/ada/tools/bin%2Fcat.txt").await.expect(200).json();
    assert_eq!(version["name"], "1.0");
}

fn collect_references(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
            fields.values().for_each(|field| collect_references(field, found));
        }
        Value::Array(items) => items.iter().for_each(|item| collect_references(item, found)),
        _ => {}
    }
}
