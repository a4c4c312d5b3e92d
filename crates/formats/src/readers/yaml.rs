//! YAML within limits: one document, without anchors and tags.

use saphyr_parser::{Event, Parser, ScalarStyle};
use serde_json::{Map, Number, Value};

use super::quoted;

/// The maximum number of values and keys.
const NODES: usize = 10_000;

/// The maximum nesting depth of lists and maps.
const DEPTH: usize = 64;

/// Parses a document to JSON. Plain scalars get their types from the core schema of YAML 1.2.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
    let mut builder = Builder::default();
    let mut documents = 0;
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| format!("it is not valid YAML: {error}"))?;
        if let Event::DocumentStart(_) = event {
            documents += 1;
            if documents > 1 {
                return Err("it has more than one document".to_owned());
            }
        }
        builder.add(event)?;
    }
    builder.root.ok_or_else(|| "it is empty".to_owned())
}

/// A list or a map that is not complete yet.
enum Open {
    List(Vec<Value>),
    /// A map, and the key whose value comes next.
    Map(Map<String, Value>, Option<String>),
}

#[derive(Default)]
struct Builder {
    open: Vec<Open>,
    root: Option<Value>,
    nodes: usize,
}

impl Builder {
    fn add(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::Alias(_) => Err("it has an alias, which is not allowed".to_owned()),
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _)
                if anchor != 0 =>
            {
                Err("it has an anchor, which is not allowed".to_owned())
            }
            Event::Scalar(_, _, _, Some(tag))
            | Event::SequenceStart(_, Some(tag))
            | Event::MappingStart(_, Some(tag)) => {
                Err(format!("it has the tag '{}', which is not allowed", quoted(&tag.to_string())))
            }
            Event::Scalar(text, style, ..) => self.scalar(&text, style),
            Event::SequenceStart(..) => self.begin(Open::List(Vec::new())),
            Event::MappingStart(..) => self.begin(Open::Map(Map::new(), None)),
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::List(values)) => self.value(Value::Array(values)),
                Some(Open::Map(values, _)) => self.value(Value::Object(values)),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn count(&mut self) -> Result<(), String> {
        self.nodes += 1;
        if self.nodes > NODES { Err(format!("it has more than {NODES} values")) } else { Ok(()) }
    }

    fn begin(&mut self, open: Open) -> Result<(), String> {
        self.count()?;
        if let Some(Open::Map(_, None)) = self.open.last() {
            return Err("it has a key that is not text".to_owned());
        }
        if self.open.len() >= DEPTH {
            return Err(format!("it is nested more than {DEPTH} levels deep"));
        }
        self.open.push(open);
        Ok(())
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle) -> Result<(), String> {
        self.count()?;
        if let Some(Open::Map(values, key @ None)) = self.open.last_mut() {
            if values.contains_key(text) {
                return Err(format!("it has the key '{}' twice", quoted(text)));
            }
            *key = Some(text.to_owned());
            return Ok(());
        }
        self.value(if style == ScalarStyle::Plain { typed(text) } else { Value::from(text) })
    }

    fn value(&mut self, value: Value) -> Result<(), String> {
        match self.open.last_mut() {
            None => self.root = Some(value),
            Some(Open::List(values)) => values.push(value),
            Some(Open::Map(values, key)) => {
                let key = key.take().ok_or("it has a value without a key")?;
                values.insert(key, value);
            }
        }
        Ok(())
    }
}

/// The value of a plain scalar.
fn typed(text: &str) -> Value {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Value::Null,
        "true" | "True" | "TRUE" => return Value::Bool(true),
        "false" | "False" | "FALSE" => return Value::Bool(false),
        _ => {}
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !digits.starts_with(|first: char| first.is_ascii_digit() || first == '.') {
        return Value::from(text);
    }
    if let Ok(number) = text.parse::<i64>() {
        return Value::from(number);
    }
    match text.parse::<f64>().ok().and_then(Number::from_f64) {
        Some(number) => Value::Number(number),
        None => Value::from(text),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn documents_become_json() {
        let text = "---\nname: a # comment\nversion: \"1.0\"\nn: 1\nf: 1.10\nb: true\nempty:\nlist:\n- x\n- {k: 'v'}\nt: |\n  one\n  two\n1: x\n";
        let expected = json!({
            "name": "a", "version": "1.0", "n": 1, "f": 1.1, "b": true, "empty": null, "list": ["x", {"k": "v"}],
            "t": "one\ntwo\n", "1": "x",
        });
        assert_eq!(parse(text.as_bytes()), Ok(expected));
        assert_eq!(parse(b"v: 1.2.3\nw: .5\n"), Ok(json!({"v": "1.2.3", "w": 0.5})));
    }

    #[test]
    fn other_documents_are_refused() {
        for (text, reason) in [
            (&b"\xff"[..], "it is not UTF-8"),
            (b"", "it is empty"),
            (b"a: &x [1]\nb: 2", "it has an anchor, which is not allowed"),
            (b"a: !!str 1", "it has the tag"),
            (b"a: 1\n---\nb: 2\n", "it has more than one document"),
            (b"a: 1\na: 2\n", "it has the key 'a' twice"),
            (b"[a]: 1\n", "it has a key that is not text"),
            (b"a: [", "it is not valid YAML"),
        ] {
            let refusal = parse(text).expect_err("a refusal");
            assert!(refusal.starts_with(reason), "{refusal}");
        }
        let deep = format!("{}{}", "[".repeat(100), "]".repeat(100));
        assert_eq!(parse(deep.as_bytes()), Err("it is nested more than 64 levels deep".to_owned()));
        let wide = "- a\n".repeat(10_001);
        assert_eq!(parse(wide.as_bytes()), Err("it has more than 10000 values".to_owned()));
    }

    proptest! {
        #[test]
        fn any_text_is_read_or_refused(text in "[-a: \n\\[\\]{}'\"|>&*!#,0-9]{0,60}") {
            let _ = parse(text.as_bytes());
        }

        #[test]
        fn json_is_yaml(texts in prop::collection::vec("\\PC{0,10}", 0..5)) {
            let value = json!({ "list": texts });
            prop_assert_eq!(parse(value.to_string().as_bytes()), Ok(value));
        }
    }
}
