//! Nodes of a document.

/// A node with its tag.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct YamlNode {
    /// The tag, for example `!ruby/object:Gem::Version`.
    pub tag: Option<String>,
    /// The value.
    pub value: YamlValue,
}

/// The value of a node.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum YamlValue {
    /// Nothing: an empty value, `~` or `null`.
    Null,
    /// A text; numbers and dates are texts, too.
    Text(String),
    /// A sequence.
    List(Vec<YamlNode>),
    /// A mapping, in its order.
    Map(Vec<(String, YamlNode)>),
}

impl YamlNode {
    /// The text, if it is one.
    pub fn text(&self) -> Option<&str> {
        if let YamlValue::Text(text) = &self.value { Some(text) } else { None }
    }

    /// The elements; nothing has none.
    pub fn list(&self) -> Option<&[YamlNode]> {
        match &self.value {
            YamlValue::List(list) => Some(list),
            YamlValue::Null => Some(&[]),
            _ => None,
        }
    }

    /// The entries of a mapping; nothing has none.
    pub fn entries(&self) -> Option<&[(String, YamlNode)]> {
        match &self.value {
            YamlValue::Map(map) => Some(map),
            YamlValue::Null => Some(&[]),
            _ => None,
        }
    }

    /// The value of a key of a mapping, unless it is nothing.
    pub fn get(&self, key: &str) -> Option<&YamlNode> {
        let (_, node) = self.entries()?.iter().find(|(name, _)| name == key)?;
        (node.value != YamlValue::Null).then_some(node)
    }

    /// The number of nodes.
    pub(super) fn count(&self) -> usize {
        match &self.value {
            YamlValue::Null | YamlValue::Text(_) => 1,
            YamlValue::List(list) => 1 + list.iter().map(Self::count).sum::<usize>(),
            YamlValue::Map(map) => 1 + map.iter().map(|(_, node)| node.count()).sum::<usize>(),
        }
    }
}
