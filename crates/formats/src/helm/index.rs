//! `index.yaml`, written as JSON with one chart in a line.

use std::fmt::Write;

use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{inspect::ChartFacts, version};
use crate::indexed::IndexedFile;

/// The text before the first chart.
pub const BEFORE: &str = "{\"apiVersion\":\"v1\",\"entries\":{\n";

/// The text between two charts.
pub const BETWEEN: &str = ",\n";

/// The text after the last chart. `at` is in milliseconds since the start of 1970.
pub fn after(at: i64) -> String {
    format!("\n}},\"generated\":\"{}\"}}\n", time(at))
}

/// The entry of one version. URLs are relative to the index.
pub fn entry(facts: &ChartFacts, file: &IndexedFile<'_>) -> Value {
    let mut entry: Map<String, Value> = facts.fields.iter().cloned().collect();
    entry.insert("created".to_owned(), Value::from(time(file.published)));
    entry.insert("digest".to_owned(), Value::from(file.sha256));
    entry.insert("urls".to_owned(), Value::from(vec![file.path]));
    Value::Object(entry)
}

/// The line of a chart with all its versions, the highest first, without a line end.
pub fn chart_line(name: &str, versions: &[(&ChartFacts, IndexedFile<'_>)]) -> String {
    let mut sorted: Vec<_> = versions.iter().collect();
    sorted.sort_by(|(left, _), (right, _)| version::compare(&right.version, &left.version));
    let entries = Value::Array(sorted.into_iter().map(|(facts, file)| entry(facts, file)).collect());
    format!("{}:{}", yaml_safe(&Value::from(name)), yaml_safe(&entries))
}

/// The lines of a block of charts, each with its versions.
pub fn block<'a>(charts: impl IntoIterator<Item = (&'a str, Vec<(&'a ChartFacts, IndexedFile<'a>)>)>) -> String {
    let lines: Vec<String> = charts.into_iter().map(|(name, versions)| chart_line(name, &versions)).collect();
    lines.join(BETWEEN)
}

/// The lists of all charts and of each one, with their paths below this one.
pub fn calls(path: &str, index: &[u8]) -> Vec<(String, Vec<u8>)> {
    let Ok(index) = serde_json::from_slice::<Value>(index) else { return Vec::new() };
    let entries = &index["entries"];
    let charts = entries.as_object().into_iter().flatten();
    let mut files: Vec<(String, Vec<u8>)> =
        charts.map(|(name, versions)| (format!("{path}/{name}"), versions.to_string().into_bytes())).collect();
    files.push((path.to_owned(), entries.to_string().into_bytes()));
    files
}

/// Formats JSON so that it is YAML, too: characters that YAML takes for line ends or forbids are escaped.
fn yaml_safe(value: &Value) -> String {
    let json = value.to_string();
    let is_special = |character: char| {
        matches!(character, '\x7f'..='\u{9f}' | '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}')
    };
    if !json.contains(is_special) {
        return json;
    }
    json.chars().fold(String::new(), |mut text, character| {
        if is_special(character) {
            let _ = write!(text, "\\u{:04x}", u32::from(character));
        } else {
            text.push(character);
        }
        text
    })
}

fn time(at: i64) -> String {
    let moment = Timestamp::from_millisecond(at).unwrap_or_default();
    moment.strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
}

#[cfg(test)]
mod tests {
    use super::{
        super::inspect::tests::{CHART, chart, look},
        *,
    };
    use crate::{indexed::tests::file, readers::yaml};

    #[test]
    fn an_index_is_json_and_yaml() {
        let old = look(chart(CHART)).expect("valid");
        let new = look(chart(&CHART.replace("0.1.0", "0.10.0"))).expect("valid");
        let line = chart_line("ch", &[(&old, file("ch-0.1.0.tgz")), (&new, file("ch-0.10.0.tgz"))]);
        assert!(!line.contains('\n'));
        let lines = block([("ch", vec![(&old, file("a"))]), ("dh", vec![(&new, file("b"))])]);
        assert_eq!(lines.lines().count(), 2);
        let text = [BEFORE, &line, &after(1_763_287_200_000)].concat();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(yaml::parse(text.as_bytes()), Ok(value.clone()));
        let versions: Vec<&str> =
            value["entries"]["ch"].as_array().expect("a list").iter().map(|v| v["version"].as_str().unwrap()).collect();
        assert_eq!(versions, ["0.10.0", "0.1.0"]);
        let first = &value["entries"]["ch"][0];
        assert_eq!(first["created"], "2025-11-16T10:00:00.000Z");
        assert_eq!((&first["digest"], &first["urls"][0]), (&"9f86".into(), &"ch-0.10.0.tgz".into()));
        assert_eq!(value["generated"], "2025-11-16T10:00:00.000Z");
        let lists = calls("api/charts", text.as_bytes());
        let read = |at: usize| serde_json::from_slice::<Value>(&lists[at].1).expect("JSON");
        assert_eq!((lists[0].0.as_str(), lists[1].0.as_str()), ("api/charts/ch", "api/charts"));
        assert_eq!((read(0), read(1)), (value["entries"]["ch"].clone(), value["entries"].clone()));
        let empty: Value = serde_json::from_str(&[BEFORE, &after(0)].concat()).expect("JSON");
        assert_eq!(empty["entries"], Value::Object(Map::new()));
    }

    #[test]
    fn descriptions_stay_in_their_line() {
        let yaml = CHART.replace("a chart", "\"a: \\\"b\\\" \\L\\P\\N\\n'{}[]# \\x7f\"");
        let facts = look(chart(&yaml)).expect("valid");
        let line = chart_line("ch", &[(&facts, file("a"))]);
        assert!(line.contains("a: \\\"b\\\" \\u2028\\u2029\\u0085\\n'{}[]# \\u007f"), "{line}");
        let text = [BEFORE, &line, &after(0)].concat();
        let value: Value = serde_json::from_str(&text).expect("JSON");
        assert_eq!(yaml::parse(text.as_bytes()), Ok(value));
    }
}
