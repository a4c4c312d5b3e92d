//! Texts: plain, quoted, and as blocks.

use super::{
    YamlValue,
    lines::{Line, Lines},
};

/// Splits a line into a key and the rest; `None` if it is not a mapping.
pub(super) fn key<'a>(line: &Line<'a>) -> Result<Option<(String, &'a str)>, String> {
    let text = line.text;
    if text.starts_with(['"', '\'']) {
        let Some((key, rest)) = one_quoted(text).map_err(|reason| line.error(reason))? else { return Ok(None) };
        let rest = rest.strip_prefix(':').filter(|rest| rest.is_empty() || rest.starts_with(' '));
        return Ok(rest.map(|rest| (key, rest.trim_start())));
    }
    if text.starts_with(['!', '&', '*', '|', '>', '[', '{', '#']) {
        return Ok(None);
    }
    let (key, rest) = match text.split_once(": ") {
        Some((key, rest)) => (key, rest),
        None => match text.strip_suffix(':') {
            Some(key) => (key, ""),
            None => return Ok(None),
        },
    };
    Ok(Some((key.trim_end().to_owned(), rest.trim_start())))
}

/// Reads a plain text with its lines below, which are indented more than `parent`.
pub(super) fn plain(lines: &mut Lines<'_>, parent: Option<usize>, first: &str, mut number: usize) -> YamlValue {
    let mut text = without_comment(first).to_owned();
    while let Some(line) = lines.peek().filter(|line| parent.is_none_or(|parent| line.indent > parent)) {
        // Empty lines between two lines are line breaks.
        let breaks = line.number.saturating_sub(number + 1);
        text.push_str(&if breaks == 0 { " ".to_owned() } else { "\n".repeat(breaks) });
        text.push_str(line.text);
        number = line.number;
        lines.next();
    }
    if matches!(text.as_str(), "" | "~" | "null") { YamlValue::Null } else { YamlValue::Text(text) }
}

fn without_comment(text: &str) -> &str {
    text.split_once(" #").map_or(text, |(text, _)| text.trim_end())
}

/// Reads a quoted text, which may continue on the lines below.
pub(super) fn quoted(lines: &mut Lines<'_>, first: &str, line: &Line<'_>) -> Result<String, String> {
    let mut whole = first.to_owned();
    loop {
        if let Some((text, rest)) = one_quoted(&whole).map_err(|reason| line.error(reason))? {
            let is_end = rest.is_empty() || rest.starts_with('#');
            return if is_end { Ok(text) } else { Err(line.error("other text follows the quoted one")) };
        }
        let mut breaks = 0;
        let next = loop {
            let raw = lines.peek_raw().ok_or_else(|| line.error("the quote has no end"))?.trim();
            lines.next_raw();
            if !raw.is_empty() {
                break raw;
            }
            breaks += 1;
        };
        let is_joined = first.starts_with('"') && whole.ends_with('\\') && !whole.ends_with("\\\\");
        if is_joined {
            whole.pop();
        } else {
            whole.truncate(whole.trim_end().len());
            whole.push_str(&if breaks == 0 { " ".to_owned() } else { "\n".repeat(breaks) });
        }
        whole.push_str(next);
    }
}

/// Decodes a quoted text at the start; `None` if it has no end. Returns the text and the rest.
fn one_quoted(text: &str) -> Result<Option<(String, &str)>, &'static str> {
    let mut decoded = String::new();
    let mut rest = &text[1..];
    let is_double = text.starts_with('"');
    loop {
        let stop: &[char] = if is_double { &['"', '\\'] } else { &['\''] };
        let Some(at) = rest.find(stop) else { return Ok(None) };
        decoded.push_str(&rest[..at]);
        let (mark, after) = rest[at..].split_at(1);
        match mark {
            "'" if after.starts_with('\'') => {
                decoded.push('\'');
                rest = &after[1..];
            }
            "\\" => match escape(after)? {
                Some((character, after)) => {
                    decoded.push(character);
                    rest = after;
                }
                None => return Ok(None),
            },
            _ => return Ok(Some((decoded, after.trim_start_matches(' ')))),
        }
    }
}

/// Decodes an escape behind its backslash; `None` if the line ends there.
fn escape(text: &str) -> Result<Option<(char, &str)>, &'static str> {
    let Some(name) = text.chars().next() else { return Ok(None) };
    let after = &text[name.len_utf8()..];
    let digits = match name {
        'x' => 2,
        'u' => 4,
        'U' => 8,
        _ => {
            let names = [('0', '\0'), ('a', '\u{7}'), ('b', '\u{8}'), ('t', '\t'), ('n', '\n'), ('v', '\u{b}')];
            let more = [('f', '\u{c}'), ('r', '\r'), ('e', '\u{1b}'), ('N', '\u{85}'), ('_', '\u{a0}')];
            let last = [('L', '\u{2028}'), ('P', '\u{2029}'), (' ', ' '), ('"', '"'), ('/', '/'), ('\\', '\\')];
            let mut all = names.into_iter().chain(more).chain(last);
            let found = all.find(|(key, _)| *key == name).ok_or("the escape is unknown")?;
            return Ok(Some((found.1, after)));
        }
    };
    let Some(code) = after.get(..digits) else { return Err("the escape is too short") };
    let number = u32::from_str_radix(code, 16).map_err(|_| "the escape is not a number")?;
    let character = char::from_u32(number).ok_or("the escape is not a character")?;
    Ok(Some((character, &after[digits..])))
}

/// Reads a block text. `header` is `|` or `>`, with `-`, `+` and a digit.
pub(super) fn block(lines: &mut Lines<'_>, parent: Option<usize>, header: &str) -> Result<String, String> {
    let (style, flags) = header.split_at(1);
    let flags = without_comment(flags);
    if !flags.chars().all(|flag| matches!(flag, '-' | '+' | '1'..='9')) || flags.len() > 2 {
        return Err(format!("the block header '{}' is not valid", super::quoted(header)));
    }
    let lowest = parent.map_or(0, |parent| parent + 1);
    let given = flags.chars().find_map(|flag| flag.to_digit(10));
    let mut indent = given.map(|digit| parent.unwrap_or(0) + digit as usize);
    let mut content: Vec<&str> = Vec::new();
    while let Some(raw) = lines.peek_raw() {
        let blanks = raw.len() - raw.trim_start_matches(' ').len();
        if blanks < raw.len() {
            let indent = *indent.get_or_insert(blanks);
            if blanks < indent || blanks < lowest {
                break;
            }
        }
        content.push(raw.get(indent.unwrap_or(blanks)..).unwrap_or(""));
        lines.next_raw();
    }
    let used = content.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1);
    let end = match flags {
        _ if flags.contains('-') || used == 0 => String::new(),
        _ if flags.contains('+') => "\n".repeat(content.len() - used + 1),
        _ => "\n".to_owned(),
    };
    let text = if style == "|" { content[..used].join("\n") } else { folded(&content[..used]) };
    Ok(text + &end)
}

/// Joins lines with blanks; empty lines are line breaks, and indented lines keep theirs.
fn folded(lines: &[&str]) -> String {
    let mut text = String::new();
    let mut is_fresh = true;
    for line in lines {
        let is_kept = line.is_empty() || line.starts_with(' ');
        if is_kept {
            text.push('\n');
        } else if !is_fresh {
            text.push(' ');
        }
        text.push_str(line);
        is_fresh = is_kept;
    }
    text
}
