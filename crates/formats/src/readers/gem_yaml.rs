//! The YAML that RubyGems writes: block style, tags as names, few anchors. Nothing in it is ever built.

mod lines;
mod node;
mod scalars;

use std::collections::HashMap;

pub use self::node::{YamlNode, YamlValue};

use self::lines::{Line, Lines};
use super::quoted;

/// The maximum nesting depth.
const DEPTH: usize = 64;

/// The maximum number of nodes. A specification lists all files of its gem.
const NODES: usize = 100_000;

/// The maximum number of anchors and of aliases.
const ANCHORS: usize = 100;

impl YamlNode {
    /// Parses one document.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut parser = Parser { lines: Lines::new(text)?, nodes: 0, aliases: 0, anchors: HashMap::new() };
        let first = parser.lines.take_start();
        let node = parser.value(None, &first, 0)?;
        match parser.lines.peek() {
            Some(line) => Err(line.error("it is not part of the value before it")),
            None => Ok(node),
        }
    }
}

struct Parser<'a> {
    lines: Lines<'a>,
    nodes: usize,
    aliases: usize,
    anchors: HashMap<String, YamlNode>,
}

impl<'a> Parser<'a> {
    /// Parses a value that begins on a line behind a key or a dash, and goes on in lines that are indented more than
    /// `parent`.
    fn value(&mut self, parent: Option<usize>, line: &Line<'a>, depth: usize) -> Result<YamlNode, String> {
        self.nodes += 1;
        if self.nodes > NODES || depth > DEPTH {
            return Err(format!("it has more than {NODES} values or {DEPTH} levels"));
        }
        let (tag, anchor, rest) = properties(line)?;
        if let Some(name) = rest.strip_prefix('*') {
            return self.alias(name, line);
        }
        let value = match rest.chars().next() {
            None | Some('#') => self.block(parent, depth)?,
            Some('|' | '>') => YamlValue::Text(scalars::block(&mut self.lines, parent, rest)?),
            Some('"' | '\'') => YamlValue::Text(scalars::quoted(&mut self.lines, rest, line)?),
            Some('[' | '{') => match rest {
                "[]" => YamlValue::List(Vec::new()),
                "{}" => YamlValue::Map(Vec::new()),
                _ => return Err(line.error("lists and mappings in one line are not supported")),
            },
            Some('&' | '!' | '%' | '@' | '`' | '?') => return Err(line.error("it is not supported")),
            Some(_) => scalars::plain(&mut self.lines, parent, rest, line.number),
        };
        let node = YamlNode { tag, value };
        if let Some(anchor) = anchor {
            if self.anchors.len() >= ANCHORS {
                return Err(format!("it has more than {ANCHORS} anchors"));
            }
            self.anchors.insert(anchor, node.clone());
        }
        Ok(node)
    }

    fn alias(&mut self, name: &str, line: &Line<'a>) -> Result<YamlNode, String> {
        let node = self.anchors.get(name).cloned().ok_or_else(|| line.error("the alias is unknown"))?;
        self.aliases += 1;
        self.nodes += node.count();
        if self.aliases > ANCHORS || self.nodes > NODES {
            return Err(format!("it has more than {ANCHORS} aliases or {NODES} values"));
        }
        Ok(node)
    }

    /// Parses the lines of a sequence or a mapping; no lines are nothing.
    fn block(&mut self, parent: Option<usize>, depth: usize) -> Result<YamlValue, String> {
        let Some(line) = self.lines.peek() else { return Ok(YamlValue::Null) };
        // A sequence may stand directly below its key.
        let is_inside = parent.is_none_or(|parent| line.indent > parent || (line.indent == parent && line.is_dash()));
        match line {
            _ if !is_inside => Ok(YamlValue::Null),
            line if line.is_dash() => self.list(line.indent, depth).map(YamlValue::List),
            line if scalars::key(&line)?.is_some() => self.map(line.indent, depth).map(YamlValue::Map),
            line => {
                self.lines.next();
                Ok(scalars::plain(&mut self.lines, parent, line.text, line.number))
            }
        }
    }

    fn list(&mut self, indent: usize, depth: usize) -> Result<Vec<YamlNode>, String> {
        let mut list = Vec::new();
        while let Some(line) = self.lines.peek().filter(|line| line.indent == indent && line.is_dash()) {
            self.lines.next();
            let item = line.after_dash();
            let is_nested = item.is_dash() || scalars::key(&item)?.is_some();
            if is_nested {
                // The first line of a nested block stands behind the dash.
                self.lines.push_back(item.clone());
                let start = Line { text: "", ..item };
                list.push(self.value(Some(indent), &start, depth + 1)?);
            } else {
                list.push(self.value(Some(indent), &item, depth + 1)?);
            }
        }
        Ok(list)
    }

    fn map(&mut self, indent: usize, depth: usize) -> Result<Vec<(String, YamlNode)>, String> {
        let mut map: Vec<(String, YamlNode)> = Vec::new();
        while let Some(line) = self.lines.peek().filter(|line| line.indent == indent && !line.is_dash()) {
            self.lines.next();
            let (name, rest) = scalars::key(&line)?.ok_or_else(|| line.error("it has no key"))?;
            if map.iter().any(|(other, _)| *other == name) {
                return Err(line.error(&format!("the key '{}' appears twice", quoted(&name))));
            }
            let node = self.value(Some(indent), &Line { text: rest, ..line }, depth + 1)?;
            map.push((name, node));
        }
        Ok(map)
    }
}

/// Cuts tag and anchor off the start of a value.
fn properties<'a>(line: &Line<'a>) -> Result<(Option<String>, Option<String>, &'a str), String> {
    let (mut tag, mut anchor, mut rest) = (None, None, line.text);
    while rest.starts_with(['!', '&']) {
        let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
        let slot = if word.starts_with('!') { &mut tag } else { &mut anchor };
        if slot.replace(word.trim_start_matches('&').to_owned()).is_some() {
            return Err(line.error("it has two tags or anchors"));
        }
        rest = after.trim_start();
    }
    Ok((tag, anchor, rest))
}

#[cfg(test)]
mod tests;
