//! Checks that names, messages, doc comments, documents and pages use the words of the glossary.

mod exceptions;
mod glossary;
mod rules;
mod scanner;

use std::{
    fs,
    path::{Path, PathBuf},
};

use exceptions::EXCEPTIONS;
use scanner::{Piece, What, rust, text};

const ADVICE: &str = "Use the ordinary word; if the other one is right here, add it to EXCEPTIONS with the reason.";

#[test]
fn everything_is_called_by_its_ordinary_name() {
    let mut used = vec![false; EXCEPTIONS.len()];
    let mut found = Vec::new();
    for (path, offence) in offences() {
        let fits = |place: &str, word: &str| path.starts_with(place) && offence.is(word);
        if let Some(index) = EXCEPTIONS.iter().position(|(place, word, _)| fits(place, word)) {
            used[index] = true;
        } else {
            found.push(format!("{path}:{}: {}", offence.line, offence.problem));
        }
    }
    let unused = EXCEPTIONS.iter().zip(used).filter(|(_, is_used)| !is_used);
    found.extend(unused.map(|((place, word, _), _)| format!("EXCEPTIONS: nothing in {place} is called `{word}`")));
    assert!(found.is_empty(), "{}\n{ADVICE}", found.join("\n"));
}

/// Names that say too little outside their own module.
const BARE: [&str; 8] = ["Place", "Part", "Kind", "Found", "Told", "Wanted", "Listed", "Terms"];

#[test]
fn no_bare_type_crosses_a_module() {
    let mut found = Vec::new();
    for (path, source) in sources().into_iter().filter(|(path, _)| path.ends_with(".rs") && !is_test(path)) {
        let bare = source.lines().filter(|line| is_bare(line));
        found.extend(bare.map(|line| format!("{path}: {}", line.trim())));
    }
    assert!(found.is_empty(), "{}\nSay what it is a place, part or kind of.", found.join("\n"));
}

/// Returns whether a line declares a type with a bare name that other modules see.
fn is_bare(line: &str) -> bool {
    let mut words = line.trim_start().split([' ', '<', '(', ';', ':', '{']).filter(|word| !word.is_empty());
    let is_seen = words.next() == Some("pub");
    let mut words = words.skip_while(|word| !["struct", "enum", "type", "trait"].contains(word)).skip(1);
    is_seen && words.next().is_some_and(|name| BARE.contains(&name))
}

#[test]
fn bare_types_are_found() {
    for line in [
        "pub struct Part {",
        "    pub(super) enum Wanted {",
        "pub type Found<T> = Vec<T>;",
        "pub(crate) trait Kind: Sync {",
    ] {
        assert!(is_bare(line), "{line}");
    }
    for line in ["struct Part {", "pub struct ImagePart {", "pub fn kind(kind: Kind) {", "pub use parts::Part;"] {
        assert!(!is_bare(line), "{line}");
    }
}

/// A use of a word that the glossary replaces.
struct Offence {
    line: usize,
    text: String,
    problem: String,
}

impl Offence {
    /// Returns whether this is the name `word`, or a text that contains it.
    fn is(&self, word: &str) -> bool {
        self.text == word || self.text.contains(' ') && self.text.contains(word)
    }
}

/// Returns all Rust sources, documents and templates with their paths.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut files = Vec::new();
    for folder in ["crates", "xtask", "fuzz", "docs"] {
        collect(&root.join(folder), &mut files);
    }
    files.extend(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md"].map(|name| root.join(name)));
    let read = |file: PathBuf| {
        let path = file.strip_prefix(&root).expect("below the root").to_string_lossy().into_owned();
        (path, fs::read_to_string(&file).expect("readable"))
    };
    files.into_iter().map(read).collect()
}

fn offences() -> Vec<(String, Offence)> {
    let mut all = Vec::new();
    for (path, source) in sources() {
        let pieces = if path.ends_with(".rs") { rust(&source, is_test(&path)) } else { text(&source) };
        let found = pieces.iter().flat_map(|piece| check(&path, piece));
        all.extend(found.map(|offence| (path.clone(), offence)));
    }
    all
}

fn check(path: &str, piece: &Piece) -> Vec<Offence> {
    let offence = |problem| Offence { line: piece.line, text: piece.text.clone(), problem };
    match piece.what {
        What::Name => rules::check_name(path, &piece.text).map(offence).into_iter().collect(),
        what => rules::check_text(&piece.text, what).into_iter().map(offence).collect(),
    }
}

/// Collects the Rust sources, documents and templates below a folder, but not the sources of this test.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            if !path.ends_with("target") && !path.ends_with("xtask/tests/words") {
                collect(&path, files);
            }
        } else if path.extension().is_some_and(|extension| ["rs", "md", "html"].iter().any(|known| extension == *known))
        {
            files.push(path);
        }
    }
}

/// Returns whether a file contains only tests, whose names are sentences.
fn is_test(path: &str) -> bool {
    let parts = ["crates/suite/", "/tests/", "/testing/", "/conformance/", "/examples/", "xtask/bench/"];
    parts.iter().any(|part| path.contains(part)) || path.ends_with("tests.rs") || path.ends_with("testing.rs")
}

#[test]
fn old_words_are_found() {
    let bad = [
        "pub async fn hold_key(tx: &mut Tx) {}",
        "fn forget() {}",
        "struct KeptRow;",
        "enum Said<'r> {}",
        "mod told;",
        "const UPKEEP: u8 = 1;",
        "/// Makes the index anew.",
        "//! Whoever reads this.",
        r#"fn a() { tracing::warn!(%error, "the turn of a sync was lost: {error}"); }"#,
        "fn a() {\n    tracing::error!(\n        \"it could not be \\\n         kept\"\n    );\n}",
        r##"fn a() { let text = r#"nobody "is told" of it"#; }"##,
    ];
    for source in bad {
        assert!(!problems(source).is_empty(), "{source}");
    }
    let source = "\n/* \" */ let c = '\"'; // anew\nfn forget() {}";
    assert_eq!(problems(source), ["3: `forget`: say delete expired, not forget"]);
    assert_eq!(check("crates/blobs/src/lib.rs", &rust("fn stage() {}", false)[0]).len(), 1);
    assert_eq!(check("docs/a.md", &text("Whoever asks.")[0]).len(), 1);
}

#[test]
fn ordinary_words_are_not() {
    let good = [
        "fn threshold() {}\nfn withhold() {}\nfn show_notes() {}\nfn stage() {}",
        "// Not a doc comment: anew.\nfn lock(holding: bool) {}",
        "/// Returns what is kept in the house. See `whoever_asks`.",
        r#"fn a() { let text = "keep a copy of it elsewhere"; }"#,
        "#[tokio::test]\nasync fn nobody_is_told() {}",
        "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn nobody_is_told() {}\n}",
    ];
    for source in good {
        assert_eq!(problems(source), [""; 0], "{source}");
    }
}

fn problems(source: &str) -> Vec<String> {
    let found = rust(source, false);
    let found = found.iter().flat_map(|piece| check("crates/server/src/lib.rs", piece));
    found.map(|offence| format!("{}: {}", offence.line, offence.problem)).collect()
}
