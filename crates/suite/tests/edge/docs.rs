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
        assert!(references(&text).iter().all(|address| address.starts_with(['/', '#']) && !address.starts_with("//")));
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
    assert_eq!(listed, known.collect());
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
