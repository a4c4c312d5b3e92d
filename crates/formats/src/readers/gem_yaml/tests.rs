use proptest::prelude::*;

use super::*;

fn parse(text: &str) -> YamlNode {
    YamlNode::parse(text.as_bytes()).expect(text)
}

fn text_of(text: &str) -> Option<String> {
    parse(&format!("a: {text}\nb: 1\n")).get("a").and_then(YamlNode::text).map(str::to_owned)
}

const SPECIFICATION: &str = "--- !ruby/object:Gem::Specification
name: hello
version: !ruby/object:Gem::Version
  version: 1.0.0
autorequire:
dependencies:
- !ruby/object:Gem::Dependency
  name: rake
  requirement: &1 !ruby/object:Gem::Requirement
    requirements:
    - - \">=\"
      - !ruby/object:Gem::Version
        version: '12'
    - - \"<\"
      - !ruby/object:Gem::Version
        version: '14'
  type: :runtime
  version_requirements: *1
description: |-
  Two
    lines

  and more
email: []
metadata:
  homepage_uri: https://example.com
files:
- a.rb
- \"b: c\"
post_install_message:
";

#[test]
fn a_specification_is_read() {
    let spec = parse(SPECIFICATION);
    assert_eq!(spec.tag.as_deref(), Some("!ruby/object:Gem::Specification"));
    assert_eq!(spec.get("name").and_then(YamlNode::text), Some("hello"));
    let version = spec.get("version").expect("a version");
    assert_eq!(version.get("version").and_then(YamlNode::text), Some("1.0.0"));
    let dependency = &spec.get("dependencies").and_then(YamlNode::list).expect("a list")[0];
    assert_eq!(dependency.get("type").and_then(YamlNode::text), Some(":runtime"));
    assert_eq!(dependency.get("requirement"), dependency.get("version_requirements"));
    let requirements = dependency.get("requirement").and_then(|node| node.get("requirements")).expect("requirements");
    let second = requirements.list().expect("a list")[1].list().expect("a pair");
    assert_eq!((second[0].text(), second[1].get("version").and_then(YamlNode::text)), (Some("<"), Some("14")));
    assert_eq!(spec.get("description").and_then(YamlNode::text), Some("Two\n  lines\n\nand more"));
    assert_eq!(spec.get("email").and_then(YamlNode::list), Some(&[][..]));
    assert!(spec.get("autorequire").is_none() && spec.get("post_install_message").is_none());
    let files: Vec<_> =
        spec.get("files").and_then(YamlNode::list).expect("a list").iter().map(YamlNode::text).collect();
    assert_eq!(files, [Some("a.rb"), Some("b: c")]);
}

#[test]
fn texts_have_several_styles() {
    for (text, expected) in [
        ("plain text", "plain text"),
        ("plain # comment", "plain"),
        ("long\n  goes on\n\n  after a break", "long goes on\nafter a break"),
        ("'it''s'", "it's"),
        ("\"a\\n\\\"b\\\" \\u00e9 \\x41\"", "a\n\"b\" \u{e9} A"),
        ("\"a long \\\n  \\ text\"", "a long  text"),
        ("\"a\n  b\n\n  c\"", "a b\nc"),
        ("|\n  a\n   b\n\n", "a\n b\n"),
        ("|+\n  a\n\n", "a\n\n\n"),
        (">-\n  a\n  b\n\n  c", "a b\nc"),
        ("2026-11-16 00:00:00.000000000 Z", "2026-11-16 00:00:00.000000000 Z"),
        (":runtime", ":runtime"),
    ] {
        assert_eq!(text_of(text).as_deref(), Some(expected), "{text}");
    }
    for nothing in ["", "~", "null", "# only a comment"] {
        assert_eq!(text_of(nothing), None, "{nothing}");
    }
}

#[test]
fn other_texts_are_refused() {
    let nested = format!("- {}x", "- ".repeat(100));
    let laughs = format!("a: &1\n{}b:\n{}", "- x\n".repeat(2_000), "- *1\n".repeat(60));
    let anchors: String = (0..101).map(|at| format!("a{at}: &{at} x\n")).collect();
    for (text, reason) in [
        ("a: [1, 2]", "lists and mappings in one line are not supported"),
        ("a: *x", "the alias is unknown"),
        ("a: 1\na: 2", "the key 'a' appears twice"),
        ("a: \"x", "the quote has no end"),
        ("a: \"\\q\"", "the escape is unknown"),
        ("a: \"\\ud800\"", "the escape is not a character"),
        ("a:\n\t b: 1", "it is indented with tabs"),
        ("a: |x\n  b", "the block header '|x' is not valid"),
        ("a: 1\n- b", "it is not part of the value before it"),
        ("a: !a !b c", "it has two tags or anchors"),
        (&nested, "more than 100000 values or 64 levels"),
        (&laughs, "more than 100 aliases or 100000 values"),
        (&anchors, "it has more than 100 anchors"),
    ] {
        let refusal = YamlNode::parse(text.as_bytes()).expect_err(reason);
        assert!(refusal.contains(reason), "{refusal}");
    }
    assert_eq!(YamlNode::parse(b"a: \xff"), Err("it is not UTF-8".to_owned()));
}

proptest! {
    #[test]
    fn any_text_is_parsed_or_refused(text in "[-a:|>'\"&*!# \\n\\\\\\[\\]{}x0]{0,60}") {
        let _ = YamlNode::parse(text.as_bytes());
    }

    #[test]
    fn quoted_texts_are_read(text in "[ -~\u{e9}]{0,30}") {
        let single = format!("'{}'", text.replace('\'', "''"));
        prop_assert_eq!(text_of(&single), Some(text.clone()));
        let double = format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
        prop_assert_eq!(text_of(&double), Some(text));
    }
}
