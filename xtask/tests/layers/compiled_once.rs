//! Public operations are compiled once: see the crate `boxed`.

use std::fs;

use super::groups::{rust_files, sources};

#[test]
fn operations_that_other_crates_call_have_boxed_futures() {
    let mut without = Vec::new();
    for path in rust_files(&sources("operations")) {
        let text = fs::read_to_string(&path).expect("readable");
        let (mut before, mut lines) = ("", text.lines().peekable());
        while let Some(line) = lines.next() {
            if line.starts_with("pub async fn ") && before != "#[boxed::future]" {
                let mut signature = line.to_owned();
                while !signature.ends_with('{')
                    && let Some(next) = lines.next()
                {
                    signature.push_str(next);
                }
                // Callers choose what is compiled of a generic function.
                let (name, arguments) = signature.split_once('(').expect("a function has arguments");
                if !name.contains('<') && !arguments.contains("impl ") {
                    without.push(format!("{}: {line}", path.display()));
                }
            }
            before = line;
        }
    }
    assert!(without.is_empty(), "these lack #[boxed::future]: {without:#?}");
}
