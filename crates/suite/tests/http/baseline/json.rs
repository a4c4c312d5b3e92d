//! JSON in several lines, in the order in which it was sent.

/// The maximum length of a line.
const WIDTH: usize = 110;

/// Breaks text that is too long for a line at its outermost commas, recursively.
pub(super) fn in_lines(text: &str) -> String {
    let mut lines = String::new();
    write(text.trim(), 0, &mut lines);
    lines
}

fn write(value: &str, depth: usize, lines: &mut String) {
    let Some((open, close)) = brackets(value).filter(|_| depth + value.chars().count() > WIDTH) else {
        return lines.push_str(value);
    };
    lines.push(open);
    for (number, part) in parts(&value[1..value.len() - 1]).into_iter().enumerate() {
        lines.push_str(if number == 0 { "\n" } else { ",\n" });
        lines.push_str(&" ".repeat(depth + 1));
        let (name, value) = name(part);
        lines.push_str(name);
        write(value, depth + 1, lines);
    }
    lines.push('\n');
    lines.push_str(&" ".repeat(depth));
    lines.push(close);
}

fn brackets(value: &str) -> Option<(char, char)> {
    match (value.chars().next()?, value.chars().next_back()?) {
        ends @ (('{', '}') | ('[', ']')) => Some(ends),
        _ => None,
    }
}

/// Splits a part into the name with its colon, if it has one, and the value.
fn name(part: &str) -> (&str, &str) {
    let end = part.strip_prefix('"').and_then(|rest| rest.find("\":")).map(|end| end + 3);
    // A string may contain something that looks like the end of a name, but then it is not a name.
    let end = end.filter(|end| !part[1..end - 2].contains(['"', '\\']));
    part.split_at(end.unwrap_or(0))
}

/// Splits at commas outside of strings and brackets.
fn parts(inside: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth) = (Vec::new(), 0, 0_usize);
    let (mut is_text, mut is_escaped) = (false, false);
    for (place, byte) in inside.bytes().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => is_text = !is_text,
            _ if is_text => {}
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            b',' if depth == 0 => {
                parts.push(&inside[start..place]);
                start = place + 1;
            }
            _ => {}
        }
    }
    parts.push(&inside[start..]);
    parts
}

#[test]
fn long_lists_are_broken_and_short_ones_are_not() {
    let long = "x".repeat(WIDTH);
    let text = format!(r#"{{"b":[1,"a,]\""],"a":{{"c":"{long}","d":{{"e":1}}}}}}"#);
    let lines = format!("{{\n \"b\":[1,\"a,]\\\"\"],\n \"a\":{{\n  \"c\":\"{long}\",\n  \"d\":{{\"e\":1}}\n }}\n}}");
    assert_eq!(in_lines(&text), lines);
}
