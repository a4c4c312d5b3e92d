//! The statements of the crate, read from its sources: the arguments of `sql!`, `select!`, `insert!` and `update!`.

use std::{collections::HashMap, path::Path};

use crate::engine::text::Text;

/// A statement in the sources.
pub(crate) struct FoundStatement {
    /// Its file, relative to the source folder.
    pub(crate) file: String,
    /// The macro that it is in.
    pub(crate) made_by: &'static str,
    /// Its text.
    pub(crate) sql: String,
    /// Whether `.long()` follows.
    pub(crate) is_long: bool,
}

/// The rows and the statements in all sources that run on both engines.
pub(crate) struct Sources {
    files: Vec<(String, String)>,
    rows: HashMap<(String, String), RowSource>,
}

/// A row declared with `row!`.
struct RowSource {
    names: Vec<String>,
    columns: Vec<String>,
    inner: Option<String>,
}

impl Sources {
    pub(crate) fn read() -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let (mut files, mut folders) = (Vec::new(), vec![root.clone()]);
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).expect("the sources are there") {
                let path = entry.expect("readable").path();
                if path.is_dir() {
                    folders.push(path);
                } else if runs_on_both_engines(&path) {
                    let file = path.strip_prefix(&root).expect("below it").display().to_string();
                    files.push((file, without_comments(&std::fs::read_to_string(&path).expect("readable"))));
                }
            }
        }
        let rows = files.iter().flat_map(|(file, text)| {
            calls(text, "row", '{').map(|call| {
                let (name, row) = RowSource::parse(call.body);
                ((file.clone(), name), row)
            })
        });
        let rows = rows.collect();
        Self { files, rows }
    }

    /// Returns all statements whose text is in the sources.
    pub(crate) fn statements(&self) -> Vec<FoundStatement> {
        let mut found = Vec::new();
        for (file, text) in &self.files {
            for made_by in ["sql", "select", "insert", "update"] {
                found.extend(calls(text, made_by, '(').filter_map(|call| {
                    let sql = self.sql(file, made_by, &parts(call.body))?;
                    let is_long = call.behind.trim_start().starts_with(".long()");
                    Some(FoundStatement { file: file.clone(), made_by, sql, is_long })
                }));
            }
        }
        found
    }

    /// Returns the files, with the number of occurrences of a text in each.
    pub(crate) fn count(&self, text: &str) -> impl Iterator<Item = (&str, usize)> {
        self.files.iter().map(move |(file, source)| (file.as_str(), source.matches(text).count()))
    }

    /// Returns the select list of a row that is named in a file.
    pub(crate) fn select_list(&self, file: &str, row: &str) -> String {
        let (file, row) = self.row(file, row);
        let inner = row.inner.as_ref().map(|inner| self.select_list(file, inner));
        row.columns.iter().cloned().chain(inner).collect::<Vec<_>>().join(", ")
    }

    fn sql(&self, file: &str, made_by: &str, parts: &[&str]) -> Option<String> {
        let literal = |index: usize| parts.get(index).and_then(|part| text_of(part)).unwrap_or_default();
        match made_by {
            "sql" => text_of(parts[0]).map(str::to_owned),
            "select" => Some(format!("SELECT {} {}", self.select_list(file, parts[0]), literal(1))),
            _ => {
                let (table, columns) = self.written(file, parts[0]);
                let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
                // Long enough for all of them.
                let text = match made_by {
                    "insert" => Text::<4096>::new().insert(table, [&columns, &[]], literal(1)),
                    _ => Text::<4096>::new().update(table, [&columns, &[]], literal(1), parts.len() - 2),
                };
                Some(text.as_str().trim_end_matches('\0').to_owned())
            }
        }
    }

    /// Returns the table and the columns of `table { column: value, ..Row::from(it) }`.
    fn written<'s>(&self, file: &str, source: &'s str) -> (&'s str, Vec<String>) {
        let (table, fields) = source.split_once('{').expect("columns in braces");
        let fields = parts(fields.trim_end().trim_end_matches('}'));
        let columns = fields.into_iter().flat_map(|field| match field.strip_prefix("..") {
            Some(row) => {
                let (name, _) = row.split_once("::from").expect("a row");
                self.row(file, name).1.names.clone()
            }
            None => vec![field.split(':').next().unwrap_or_default().trim().to_owned()],
        });
        (table.trim(), columns.collect())
    }

    /// Returns the row with this name in a file, or the only one elsewhere.
    fn row(&self, file: &str, name: &str) -> (&str, &RowSource) {
        let mut named: Vec<_> = self.rows.iter().filter(|((_, row), _)| row == name).collect();
        if let Some(here) = named.iter().position(|((its_file, _), _)| its_file == file) {
            named = vec![named[here]];
        }
        let [((its_file, _), row)] = named[..] else { panic!("{file}: {} rows are called {name}", named.len()) };
        (its_file, row)
    }
}

impl RowSource {
    fn parse(source: &str) -> (String, Self) {
        let (head, fields) = source.split_once('{').expect("fields in braces");
        let (_, head) = head.split_once("struct ").expect("a struct");
        let mut words = head.split_whitespace();
        let name = words.next().expect("a name").to_owned();
        let alias = match words.next() {
            Some("in") => format!("{}.", words.next().and_then(text_of).expect("an alias")),
            _ => String::new(),
        };
        let mut row = RowSource { names: Vec::new(), columns: Vec::new(), inner: None };
        for field in parts(fields.trim_end().trim_end_matches('}')) {
            let (field_name, rest) = field.split_once(':').expect("a type");
            if field_name.starts_with("..") {
                row.inner = Some(rest.trim().to_owned());
                continue;
            }
            let mapped = rest.split_once('=').and_then(|(_, column)| text_of(column.trim()));
            row.names.push(mapped.unwrap_or(field_name).to_owned());
            row.columns.push(mapped.map_or_else(|| format!("{alias}{field_name}"), str::to_owned));
        }
        (name, row)
    }
}

/// The arguments of a macro call, and the text after it.
struct Call<'s> {
    body: &'s str,
    behind: &'s str,
}

/// Returns all calls of a macro.
fn calls<'s>(text: &'s str, name: &str, open: char) -> impl Iterator<Item = Call<'s>> {
    let call = if open == '{' { format!("{name}! {open}") } else { format!("{name}!{open}") };
    let begins: Vec<usize> = text.match_indices(&call).map(|(at, _)| at).collect();
    let length = call.len();
    let is_word = |at: usize| text[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    begins.into_iter().filter(move |at| !is_word(*at)).map(move |at| {
        let rest = &text[at + length..];
        let end = ends(rest).find(|(_, depth, c)| *depth == 0 && ")]}".contains(*c)).expect("an end").0;
        Call { body: rest[..end].trim(), behind: &rest[end + 1..] }
    })
}

/// Splits a list at its commas.
fn parts(list: &str) -> Vec<&str> {
    let commas = ends(list).filter(|(_, depth, c)| *depth == 0 && *c == ',').map(|(at, ..)| at);
    let mut begin = 0;
    let mut parts: Vec<&str> = Vec::new();
    for at in commas.chain([list.len()]) {
        parts.push(list[begin..at].trim());
        begin = at + 1;
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns the characters outside of string literals, each with its position and the number of open brackets.
fn ends(text: &str) -> impl Iterator<Item = (usize, usize, char)> {
    let (mut depth, mut is_text, mut is_escaped) = (0_usize, false, false);
    text.char_indices().filter_map(move |(at, c)| {
        if is_text {
            is_text = is_escaped || c != '"';
            is_escaped = !is_escaped && c == '\\';
            return None;
        }
        match c {
            '"' => is_text = true,
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' if depth > 0 => depth -= 1,
            _ => return Some((at, depth, c)),
        }
        None
    })
}

fn text_of(source: &str) -> Option<&str> {
    source.strip_prefix('"')?.split('"').next()
}

fn without_comments(text: &str) -> String {
    let is_code = |line: &&str| !line.trim_start().starts_with("//") && !line.trim_start().starts_with("#[");
    text.lines().filter(is_code).collect::<Vec<_>>().join("\n")
}

/// Returns whether a file contains statements for both engines. The engine module and its tests address one engine at a
/// time, and the macros are tested with tables that do not exist.
fn runs_on_both_engines(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_test = name == "tests.rs" || name.ends_with("_tests.rs");
    let is_engine = ["engine/mod.rs", "engine/row.rs", "engine/statement.rs"].iter().any(|end| path.ends_with(end))
        || path.parent().is_some_and(|folder| folder.ends_with("engine/tests"));
    !is_test && !is_engine
}
