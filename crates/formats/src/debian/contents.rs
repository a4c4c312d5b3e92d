//! `Contents`: the files in packages, which apt-file searches.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

use serde::{Deserialize, Serialize};

use super::inspect::{self, DebFacts};
use crate::{
    indexed::DescribedFile,
    readers::{
        Content, Limits,
        ar::Ar,
        unpack::STREAMED_BYTES,
        walk::{TarWalk, WalkedType},
    },
};

/// The maximum number of files of a package that are listed.
const PATHS: usize = 100_000;

/// The maximum size of all their paths together.
const PATHS_BYTES: usize = 8 << 20;

/// The files in a package.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ContentsFacts {
    /// The package as a line names it: with its section, if it has one.
    pub package: String,
    /// The paths of its files, without a slash at the front.
    pub paths: Vec<String>,
}

/// Reads the paths of the files in a .deb.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<ContentsFacts, String> {
    let package = name(&inspect::inspect(content, limits)?);
    let limits = Limits { bytes: STREAMED_BYTES, entries: 2 * PATHS, ratio: u64::MAX, ..limits.clone() };
    let mut archive = Ar::open(content, &limits)?;
    let data = archive.members.iter().find(|member| is_data(&member.name)).cloned();
    let data = data.ok_or("it has no `data.tar`")?;
    let mut walk = TarWalk::new(archive.unpack(&data)?, &limits);
    let (mut paths, mut bytes) = (Vec::new(), 0);
    while let Some(entry) = walk.next_entry().map_err(|reason| format!("data.tar: {reason}"))? {
        // A path with a line break would be another line.
        if entry.entry_type == WalkedType::Folder || entry.path.is_empty() || entry.path.contains(char::is_control) {
            continue;
        }
        bytes += entry.path.len();
        if paths.len() >= PATHS || bytes > PATHS_BYTES {
            return Err(format!("it has more than {PATHS} files, or {PATHS_BYTES} bytes of paths"));
        }
        paths.push(entry.path);
    }
    walk.finish().map_err(|reason| format!("data.tar: {reason}"))?;
    Ok(ContentsFacts { package, paths })
}

fn is_data(name: &str) -> bool {
    name.strip_prefix("data.tar").is_some_and(|rest| matches!(rest, "" | ".gz" | ".xz" | ".zst" | ".bz2"))
}

/// The name with the section. A section that is not a word would be read as another package.
fn name(facts: &DebFacts) -> String {
    let section = facts.control.get("Section").unwrap_or_default();
    let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_' | b'/');
    if section.is_empty() || !section.bytes().all(is_valid) {
        return facts.package.clone();
    }
    format!("{section}/{}", facts.package)
}

/// The lines of a block: each path with the packages that have it.
pub fn block(files: &[DescribedFile<'_, ContentsFacts>]) -> String {
    let mut packages: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for file in files {
        for path in &file.facts.paths {
            packages.entry(path).or_default().insert(&file.facts.package);
        }
    }
    packages.into_iter().fold(String::new(), |mut text, (path, packages)| {
        let packages: Vec<&str> = packages.into_iter().collect();
        let _ = writeln!(text, "{path} {}", packages.join(","));
        text
    })
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{
        super::samples::{CONTROL, deb_with},
        *,
    };
    use crate::{
        indexed::encode,
        native_samples::file,
        readers::{container_samples::tar_with, samples::gzip},
    };

    fn look(control: &str, data: &[u8]) -> Result<ContentsFacts, String> {
        inspect(&mut Cursor::new(deb_with(control, data)), &Limits::default())
    }

    #[test]
    fn files_and_links_are_listed_and_folders_are_not() {
        let data = gzip(&tar_with(
            &[("./", b""), ("./usr/bin/", b""), ("./usr/bin/a b", b"12")],
            "./l",
            ::tar::EntryType::Symlink,
        ));
        let facts = look(CONTROL, &data).expect("valid");
        assert_eq!(
            (facts.package.as_str(), &facts.paths[..]),
            ("hello", &["usr/bin/a b".to_owned(), "l".to_owned()][..])
        );
        let section = |text: &str| look(&format!("{CONTROL}Section: {text}\n"), &data).expect("valid").package;
        assert_eq!((section("non-free/utils"), section("a,b")), ("non-free/utils/hello".into(), "hello".into()));
    }

    #[test]
    fn lists_are_bounded_and_damaged_ones_refused() {
        let names: Vec<String> = (0..=PATHS).map(|number| number.to_string()).collect();
        let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
        let many = look(CONTROL, &crate::readers::container_samples::tar(&files)).expect_err("too many");
        assert_eq!(many, format!("it has more than {PATHS} files, or {PATHS_BYTES} bytes of paths"));
        assert!(look(CONTROL, b"not a tar").expect_err("damaged").starts_with("data.tar: "));
    }

    #[test]
    fn a_path_names_all_its_packages_once() {
        let path = model::file_path::FilePath::parse("a.deb").expect("a path");
        let about = |package: &str| {
            let paths = ["usr/b", "a"].map(str::to_owned).to_vec();
            file(&path, None, Some(encode(&ContentsFacts { package: package.to_owned(), paths })))
        };
        let views = [about("utils/x"), about("utils/x"), about("doc/y"), file(&path, None, None)];
        assert_eq!(block(&DescribedFile::read_all(&views)), "a doc/y,utils/x\nusr/b doc/y,utils/x\n");
    }
}
