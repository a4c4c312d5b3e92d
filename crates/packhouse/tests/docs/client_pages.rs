//! The commands of the clients' pages that create repositories. What the clients do then is tested with the clients
//! themselves.

use std::{fs, path::Path};

use crate::{blocks, try_out_as};

/// The address and the credentials in the pages, and those of the server under test.
const PLACEHOLDERS: [(&str, &str); 4] = [
    ("https://packages.example.org", "$BASE"),
    ("$URL", "$BASE"),
    ("ada:API_KEY", "admin:$ADMIN_KEY"),
    ("$USER:$KEY", "admin:$ADMIN_KEY"),
];

#[tokio::test]
async fn the_pages_of_clients_create_the_repositories_that_they_use() {
    let mut lines = vec![r#"curl -s -u "admin:$ADMIN_KEY" -d '{"name":"acme"}' "$BASE/api/orgs""#.to_owned()];
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/clients");
    for entry in fs::read_dir(folder).expect("the pages") {
        let page = fs::read_to_string(entry.expect("a page").path()).expect("a text");
        // A command may continue on the next line.
        let page = page.replace("\\\n", "");
        lines
            .extend(page.lines().filter(|line| line.starts_with("curl ") && line.contains("/api/repos/")).map(fill_in));
    }
    assert!(lines.len() > 10, "only these were found: {lines:?}");
    let blocks = blocks::read_lines(&format!("```sh\n{}\n```\n", lines.join("\n")));
    let printed = try_out_as("docs/clients", &blocks, None).await;
    assert_eq!(printed.matches("\"owner\":\"acme\"").count(), lines.len() - 1, "{printed}");
}

fn fill_in(line: &str) -> String {
    let filled = PLACEHOLDERS.iter().fold(line.to_owned(), |line, (from, to)| line.replace(from, to));
    filled.replace(" admin:$ADMIN_KEY ", " \"admin:$ADMIN_KEY\" ")
}
