//! Small XML documents as trees, within limits and without document types.

use quick_xml::{
    Reader, XmlVersion,
    events::{BytesRef, BytesStart, Event},
};

/// The maximum nesting depth of elements.
const DEPTH: usize = 64;

/// The maximum number of elements.
const ELEMENTS: usize = 20_000;

/// An element. Namespaces are ignored: names are local names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct XmlElement {
    /// The local name.
    pub name: String,
    /// The attributes by their local names.
    pub attributes: Vec<(String, String)>,
    /// The text directly inside the element.
    pub text: String,
    /// The elements directly inside the element.
    pub children: Vec<XmlElement>,
}

impl XmlElement {
    /// Parses a document and returns its root element.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        let text = str::from_utf8(bytes).map_err(|_| "it is not UTF-8".to_owned())?;
        let mut reader = Reader::from_str(text.strip_prefix('\u{feff}').unwrap_or(text));
        reader.config_mut().expand_empty_elements = true;
        let mut open = vec![XmlElement::default()];
        let mut elements = 0;
        loop {
            match reader.read_event() {
                Err(_) => return Err(format!("it is not well-formed XML at byte {}", reader.error_position())),
                Ok(Event::Start(start)) => {
                    elements += 1;
                    if elements > ELEMENTS || open.len() > DEPTH {
                        return Err(format!("it has more than {ELEMENTS} elements or {DEPTH} levels"));
                    }
                    open.push(element(&start)?);
                }
                Ok(Event::End(_)) => close(&mut open)?,
                Ok(Event::Text(part)) => add(&mut open, str::from_utf8(&part).unwrap_or_default()),
                Ok(Event::CData(part)) => add(&mut open, str::from_utf8(&part).unwrap_or_default()),
                Ok(Event::GeneralRef(reference)) => add(&mut open, &resolve(&reference)?),
                Ok(Event::DocType(_)) => return Err("it has a document type, which is not allowed".to_owned()),
                Ok(Event::Eof) => return root(open),
                Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Empty(_)) => {}
            }
        }
    }

    /// The first child with this name.
    pub fn child(&self, name: &str) -> Option<&XmlElement> {
        self.children_named(name).next()
    }

    /// All children with this name.
    pub fn children_named(&self, name: &str) -> impl Iterator<Item = &XmlElement> {
        self.children.iter().filter(move |child| child.name == name)
    }

    /// The trimmed text of the child with this name. Two such children are refused.
    pub fn child_text(&self, name: &str) -> Result<Option<&str>, String> {
        let mut children = self.children_named(name);
        let first = children.next();
        if children.next().is_some() {
            return Err(format!("it has the element '{name}' twice"));
        }
        Ok(first.map(|child| child.text.trim()).filter(|text| !text.is_empty()))
    }

    /// The value of an attribute.
    pub fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

fn element(start: &BytesStart<'_>) -> Result<XmlElement, String> {
    let local = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut element = XmlElement { name: local(start.local_name().as_ref()), ..XmlElement::default() };
    for attribute in start.attributes() {
        let attribute = attribute.map_err(|_| format!("the element '{}' has wrong attributes", element.name))?;
        let value = attribute.normalized_value(XmlVersion::Implicit1_0);
        let value = value.map_err(|_| format!("the element '{}' has an unknown entity", element.name))?;
        element.attributes.push((local(attribute.key.local_name().as_ref()), value.into_owned()));
    }
    Ok(element)
}

fn close(open: &mut Vec<XmlElement>) -> Result<(), String> {
    let element = open.pop().ok_or("it ends too early")?;
    let parent = open.last_mut().ok_or("it has an end without a start")?;
    parent.children.push(element);
    Ok(())
}

fn add(open: &mut [XmlElement], text: &str) {
    if let Some(element) = open.last_mut() {
        element.text.push_str(text);
    }
}

fn root(mut open: Vec<XmlElement>) -> Result<XmlElement, String> {
    let mut document = open.pop().filter(|_| open.is_empty()).ok_or("it ends too early")?;
    if !document.text.trim().is_empty() || document.children.len() != 1 {
        return Err("it is not one XML element".to_owned());
    }
    Ok(document.children.remove(0))
}

fn resolve(reference: &BytesRef<'_>) -> Result<String, String> {
    let name: &[u8] = reference;
    let character = match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => reference.resolve_char_ref().ok().flatten(),
    };
    character.map(String::from).ok_or_else(|| "it has an unknown entity".to_owned())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn elements_attributes_and_texts_are_read() {
        let text = "\u{feff}<?xml version=\"1.0\"?><n:a xmlns:n=\"u\"><b x=\"1 &lt; 2\">t &amp; <![CDATA[<u>]]>&#65;</b><c/></n:a>";
        let root = XmlElement::parse(text.as_bytes()).expect("valid");
        assert_eq!((root.name.as_str(), root.children.len()), ("a", 2));
        let b = root.child("b").expect("a child");
        assert_eq!((b.text.as_str(), b.attribute("x")), ("t & <u>A", Some("1 < 2")));
        assert_eq!((root.child_text("b"), root.child_text("c")), (Ok(Some("t & <u>A")), Ok(None)));
    }

    #[test]
    fn other_texts_are_refused() {
        let nested = format!("{}{}", "<a>".repeat(100), "</a>".repeat(100));
        let many = format!("<a>{}</a>", "<b/>".repeat(20_001));
        for (text, reason) in [
            ("", "it is not one XML element"),
            ("text", "it is not one XML element"),
            ("<a/><b/>", "it is not one XML element"),
            ("<a>", "it ends too early"),
            ("<a></b>", "it is not well-formed XML"),
            ("<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "it has a document type, which is not allowed"),
            ("<a>&x;</a>", "it has an unknown entity"),
            ("<a b=\"&x;\"/>", "the element 'a' has an unknown entity"),
            ("<a b=\"1\" b=\"2\"/>", "the element 'a' has wrong attributes"),
            (&nested, "it has more than 20000 elements or 64 levels"),
            (&many, "it has more than 20000 elements or 64 levels"),
        ] {
            let refusal = XmlElement::parse(text.as_bytes()).expect_err(reason);
            assert!(refusal.starts_with(reason), "{refusal}");
        }
        assert_eq!(XmlElement::parse(b"<a>\xff</a>"), Err("it is not UTF-8".to_owned()));
        let twice = XmlElement::parse(b"<a><b/><b/></a>").expect("valid");
        assert_eq!(twice.child_text("b"), Err("it has the element 'b' twice".to_owned()));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[<>/a-c=\"& !\\[\\]-]{0,40}") {
            let _ = XmlElement::parse(text.as_bytes());
        }
    }
}
