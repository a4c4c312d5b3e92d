//! Lists the files in `migrations` as the steps of the schema: `NNNN_name.sql` for both engines, `NNNN_name.sqlite.sql`
//! and `NNNN_name.postgres.sql` for one of them. A first part `NNNN_name.expanding.sql` marks an expanding step.

use std::{collections::BTreeMap, env, fmt::Write, fs, path::Path};

/// The files of a step. A missing file is an empty text.
#[derive(Default)]
struct Step {
    name: String,
    is_expanding: bool,
    sql: Option<String>,
    sqlite: Option<String>,
    postgres: Option<String>,
}

fn main() {
    let folder = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("migrations");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut steps: BTreeMap<usize, Step> = BTreeMap::new();
    for entry in fs::read_dir(&folder).expect("the folder of the migrations exists") {
        let path = entry.expect("readable").path();
        let file = path.file_name().and_then(|name| name.to_str()).expect("a name in UTF-8").to_owned();
        add(&mut steps, &file, format!("include_str!({:?})", path.display().to_string()));
    }
    assert!(steps.keys().copied().eq(1..=steps.len()), "the numbers of the migrations have a gap");
    let out = Path::new(&env::var("OUT_DIR").expect("cargo sets it")).join("migrations.rs");
    fs::write(out, code(&steps)).expect("the output folder is writable");
}

fn add(steps: &mut BTreeMap<usize, Step>, file: &str, text: String) {
    let parts: Vec<&str> = file.split('.').collect();
    let (number, name) = parts[0].split_once('_').unwrap_or_else(|| panic!("{file} has no name after its number"));
    let number = number.parse().unwrap_or_else(|_| panic!("{file} has no number"));
    let step = steps.entry(number).or_default();
    assert!(step.name.is_empty() || step.name == name, "{file}: step {number} is also called {}", step.name);
    step.name = name.to_owned();
    let part = match parts[1..] {
        ["sql"] => &mut step.sql,
        ["expanding", "sql"] => {
            step.is_expanding = true;
            &mut step.sql
        }
        ["sqlite", "sql"] => &mut step.sqlite,
        ["postgres", "sql"] => &mut step.postgres,
        _ => panic!("{file} is not a file of a migration"),
    };
    assert!(part.replace(text).is_none(), "{file}: step {number} has this part twice");
}

fn code(steps: &BTreeMap<usize, Step>) -> String {
    let mut code = "const MIGRATIONS: &[Migration] = &[\n".to_owned();
    let text = |part: &Option<String>| part.clone().unwrap_or_else(|| "\"\"".to_owned());
    for (version, step) in steps {
        let Step { name, is_expanding, sql, sqlite, postgres } = step;
        let (sql, sqlite, postgres) = (text(sql), text(sqlite), text(postgres));
        writeln!(
            code,
            "Migration {{ version: {version}, name: {name:?}, is_expanding: {is_expanding}, sql: {sql}, sqlite: {sqlite}, \
             postgres: {postgres} }},"
        )
        .expect("memory takes everything");
    }
    code + "];\n"
}
