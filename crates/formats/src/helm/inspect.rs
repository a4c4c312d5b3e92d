//! Reads a chart: Chart.yaml in the top folder of a .tgz.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{metadata, version};
use crate::{
    indexed::matches,
    readers::{
        Content, Limits, quoted,
        tar::{self, Interest},
        yaml,
    },
};

/// Names that collide with other paths of a repository.
const RESERVED: &[&str] = &["index", "api"];

/// The facts about a chart.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChartFacts {
    /// The name of the chart.
    pub name: String,
    /// The version of the chart.
    pub version: String,
    /// The fields of Chart.yaml that the index shows, in its order.
    pub fields: Vec<(String, Value)>,
}

impl ChartFacts {
    /// The file name of the chart.
    pub fn file_name(&self) -> String {
        format!("{}-{}.tgz", self.name, self.version)
    }

    /// Checks the file name of the chart.
    pub fn check_file_name(&self, name: &str) -> Result<(), String> {
        let expected = self.file_name();
        let wrong = || format!("the file name '{}' is not that of the chart, '{expected}'", quoted(name));
        (name == expected).then_some(()).ok_or_else(wrong)
    }
}

/// Reads the facts of a chart.
pub fn inspect(content: &mut dyn Content, limits: &Limits) -> Result<ChartFacts, String> {
    let wants = |path: &str| if path == "Chart.yaml" { Interest::Content } else { Interest::Nothing };
    let mut scan = tar::scan(content, limits, &wants)?;
    let chart = scan.take("Chart.yaml").ok_or("it has no file `Chart.yaml` in its top folder")?;
    let facts = facts(&chart).map_err(|reason| format!("Chart.yaml: {reason}"))?;
    if scan.top != facts.name {
        return Err(format!("its top folder '{}' is not named like the chart '{}'", quoted(&scan.top), facts.name));
    }
    Ok(facts)
}

fn facts(chart: &[u8]) -> Result<ChartFacts, String> {
    let fields = metadata::select(yaml::parse(chart)?)?;
    let api_version = metadata::required(&fields, "apiVersion")?;
    if !matches!(api_version, "v1" | "v2") {
        return Err(format!("its apiVersion '{}' is neither 'v1' nor 'v2'", quoted(api_version)));
    }
    let name = metadata::required(&fields, "name")?.to_owned();
    let version = metadata::required(&fields, "version")?.to_owned();
    check_name(&name)?;
    if !version::is_valid(&version) {
        return Err(format!("'{}' is not a semantic version", quoted(&version)));
    }
    Ok(ChartFacts { name, version, fields })
}

fn check_name(name: &str) -> Result<(), String> {
    let is_byte = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if !matches(name, |byte| byte.is_ascii_alphanumeric(), is_byte) {
        return Err(format!("'{}' is not the name of a chart", quoted(name)));
    }
    if RESERVED.contains(&name.to_ascii_lowercase().as_str()) {
        return Err(format!("a chart may not have the name '{name}'"));
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use std::io::Cursor;

    use ::tar::EntryType;

    use super::*;
    use crate::readers::samples::{tar_gz, tar_gz_with};

    pub(in super::super) const CHART: &str =
        "apiVersion: v2\nname: ch\nversion: 0.1.0\nappVersion: \"1.0\"\ndescription: a chart\n";

    pub(in super::super) fn look(bytes: Vec<u8>) -> Result<ChartFacts, String> {
        inspect(&mut Cursor::new(bytes), &Limits::default())
    }

    pub(in super::super) fn chart(yaml: &str) -> Vec<u8> {
        tar_gz(&[("ch/Chart.yaml", yaml.as_bytes()), ("ch/charts/sub/Chart.yaml", b"name: sub")])
    }

    fn refusal(yaml: &str) -> String {
        look(chart(yaml)).expect_err("a refusal")
    }

    #[test]
    fn a_chart_is_read() {
        let facts = look(chart(CHART)).expect("valid");
        assert_eq!((facts.name.as_str(), facts.version.as_str(), facts.fields.len()), ("ch", "0.1.0", 5));
        assert_eq!(facts.check_file_name("ch-0.1.0.tgz"), Ok(()));
        assert!(facts.check_file_name("ch-0.1.1.tgz").is_err());
    }

    #[test]
    fn bad_charts_are_refused() {
        let with = |line: &str| refusal(&format!("{CHART}{line}\n"));
        assert_eq!(with("a: &x [1, 2]\nb: *x"), "Chart.yaml: it has an anchor, which is not allowed");
        assert!(with("a: !!binary x").starts_with("Chart.yaml: it has the tag"));
        assert_eq!(with("---\nname: x"), "Chart.yaml: it has more than one document");
        let version = |version: &str| refusal(&CHART.replace("0.1.0", version));
        assert_eq!(version("1"), "Chart.yaml: '1' is not a semantic version");
        let name = |name: &str| refusal(&CHART.replace("name: ch", &format!("name: {name}")));
        assert_eq!(name("../x"), "Chart.yaml: '../x' is not the name of a chart");
        assert_eq!(name("index"), "Chart.yaml: a chart may not have the name 'index'");
        assert_eq!(name("api"), "Chart.yaml: a chart may not have the name 'api'");
        assert_eq!(name("other"), "its top folder 'ch' is not named like the chart 'other'");
        assert_eq!(refusal("name: ch"), "Chart.yaml: it has no field 'apiVersion'");
    }

    #[test]
    fn bad_archives_are_refused() {
        let large: Vec<u8> = (0..2_000_000_u32).map(|at| b' ' + (at.wrapping_mul(2_654_435_761) >> 27) as u8).collect();
        let refused = look(tar_gz(&[("ch/Chart.yaml", &large)])).expect_err("too large");
        assert_eq!(refused, "entry `ch/Chart.yaml` is larger than 1048576 bytes");
        let two = look(tar_gz(&[("ch/Chart.yaml", CHART.as_bytes()), ("b/x", b"")])).expect_err("two folders");
        assert_eq!(two, "entry `b/x` is not in the same top folder as the others");
        let link = look(tar_gz_with(&[], "ch/Chart.yaml", EntryType::Symlink)).expect_err("a link");
        assert_eq!(link, "entry `ch/Chart.yaml` is a symbolic link");
        let none = look(tar_gz(&[("ch/values.yaml", b"")])).expect_err("no chart");
        assert_eq!(none, "it has no file `Chart.yaml` in its top folder");
    }
}
