//! Tests of `simple`.

use super::*;

fn files() -> Vec<SimpleFile> {
    let wheel = SimpleFile {
        file_name: "hello_pkg-1.10+cpu-py3-none-any.whl".to_owned(),
        version: "1.10+cpu".to_owned(),
        sha256: "9f86".to_owned(),
        size_bytes: 1432,
        uploaded: Timestamp::parse("2026-11-16T10:00:00.5Z").expect("a time"),
        requires_python: Some(">=3.9,<4".to_owned()),
        metadata_sha256: Some("2c26".to_owned()),
        yanked: None,
    };
    let source = SimpleFile {
        file_name: "hello_pkg-1.9.tar.gz".to_owned(),
        version: "1.9".to_owned(),
        requires_python: None,
        metadata_sha256: None,
        yanked: Some("broken \"build\" <b>".to_owned()),
        ..wheel.clone()
    };
    vec![wheel, source]
}

/// Puts the sections of files into a frame.
fn joined(frame: &str, name: &str, files: &[SimpleFile]) -> String {
    let sections = (0..).zip(sections(name, files)).map(|(number, text)| (number, vec![text])).collect();
    index_frame::join(frame, &sections)
}

fn project_json(name: &str, files: &[SimpleFile]) -> String {
    joined(&json_frame(name), name, files)
}

fn project_html(name: &str, files: &[SimpleFile]) -> String {
    joined(&html_frame(name), name, files)
}

#[test]
fn a_project_page_has_all_files_as_json() {
    let page: Value = serde_json::from_str(&project_json("hello-pkg", &files())).expect("JSON");
    let expected = json!({
        "meta": { "api-version": "1.1" }, "name": "hello-pkg", "versions": ["1.9", "1.10+cpu"],
        "files": [
            {
                "filename": "hello_pkg-1.9.tar.gz", "url": "../../packages/hello-pkg/1.9/hello_pkg-1.9.tar.gz",
                "hashes": { "sha256": "9f86" }, "size": 1432, "upload-time": "2026-11-16T10:00:00.500000Z",
                "yanked": "broken \"build\" <b>",
            },
            {
                "filename": "hello_pkg-1.10+cpu-py3-none-any.whl",
                "url": "../../packages/hello-pkg/1.10%2Bcpu/hello_pkg-1.10%2Bcpu-py3-none-any.whl",
                "hashes": { "sha256": "9f86" }, "requires-python": ">=3.9,<4", "size": 1432,
                "upload-time": "2026-11-16T10:00:00.500000Z", "yanked": false,
                "core-metadata": { "sha256": "2c26" }, "dist-info-metadata": { "sha256": "2c26" },
            },
        ],
    });
    assert_eq!(page, expected);
}

#[test]
fn a_yank_without_a_reason_is_a_yank() {
    let mut files = files();
    files[0].yanked = Some(String::new());
    assert!(project_json("hello-pkg", &files).contains("\"yanked\":true"));
    assert!(project_html("hello-pkg", &files).contains(" data-yanked=\"\">"));
}

#[test]
fn a_project_page_has_all_files_as_html() {
    let page = project_html("hello-pkg", &files());
    let links: Vec<&str> = page.lines().filter(|line| line.starts_with("<a")).collect();
    let source = "<a href=\"../../packages/hello-pkg/1.9/hello_pkg-1.9.tar.gz#sha256=9f86\" \
        data-yanked=\"broken &quot;build&quot; &lt;b&gt;\">hello_pkg-1.9.tar.gz</a><br/>";
    let wheel = "<a href=\"../../packages/hello-pkg/1.10%2Bcpu/hello_pkg-1.10%2Bcpu-py3-none-any.whl#sha256=9f86\" \
        data-requires-python=\"&gt;=3.9,&lt;4\" data-core-metadata=\"sha256=2c26\" \
        data-dist-info-metadata=\"sha256=2c26\">hello_pkg-1.10+cpu-py3-none-any.whl</a><br/>";
    assert_eq!(links, [source, wheel]);
    assert!(page.contains("<meta name=\"pypi:repository-version\" content=\"1.1\">"));
}

#[test]
fn the_list_names_all_projects() {
    assert_eq!(list_json(&["a", "b-c"]), r#"{"meta":{"api-version":"1.1"},"projects":[{"name":"a"},{"name":"b-c"}]}"#);
    assert!(list_html(&["a", "b-c"]).contains("<a href=\"b-c/\">b-c</a><br/>\n</body>"));
    assert!(!list_html(&[]).contains("<a"));
}
