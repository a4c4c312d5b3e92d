use super::*;

/// A specification with these lines instead of name and platform.
pub(in crate::rubygems) fn sample(name: &str, platform: &str, more: &str) -> String {
    format!(
        "--- !ruby/object:Gem::Specification
name: {name}
version: !ruby/object:Gem::Version
  version: 1.1.0
platform: {platform}
authors:
- Acme
autorequire:
bindir: bin
cert_chain: []
date: 2026-11-16 00:00:00.000000000 Z
dependencies:
- !ruby/object:Gem::Dependency
  name: rake
  requirement: !ruby/object:Gem::Requirement
    requirements:
    - - \">=\"
      - !ruby/object:Gem::Version
        version: '12'
    - - \"<\"
      - !ruby/object:Gem::Version
        version: '14'
  type: :runtime
  prerelease: false
- !ruby/object:Gem::Dependency
  name: rspec
  requirement: !ruby/object:Gem::Requirement
    requirements:
    - - \"~>\"
      - !ruby/object:Gem::Version
        version: '3.0'
  type: :development
  prerelease: false
description: Says hello in a long
  text.
email:
- a@example.com
executables: []
files:
- lib/hello.rb
homepage: https://example.com
licenses:
- MIT
metadata:
  source_code_uri: https://example.com/src
rdoc_options: []
required_ruby_version: !ruby/object:Gem::Requirement
  requirements:
  - - \">=\"
    - !ruby/object:Gem::Version
      version: '2.7'
required_rubygems_version: !ruby/object:Gem::Requirement
  requirements:
  - - \">=\"
    - !ruby/object:Gem::Version
      version: '0'
requirements: []
rubygems_version: 3.3.15
signing_key:
specification_version: 4
summary: Says hello
{more}"
    )
}

pub(in crate::rubygems) fn specification(name: &str, platform: &str) -> GemSpecification {
    GemSpecification::parse(sample(name, platform, "").as_bytes()).expect("valid")
}

#[test]
fn the_fields_are_read() {
    let spec = specification("hello", "ruby");
    assert_eq!((spec.full_name().as_str(), spec.number().as_str()), ("hello-1.1.0", "1.1.0"));
    assert_eq!(
        (spec.summary.as_str(), spec.description.as_deref()),
        ("Says hello", Some("Says hello in a long text."))
    );
    assert_eq!(
        (spec.authors.as_slice(), spec.licenses.as_slice()),
        (&["Acme".to_owned()][..], &["MIT".to_owned()][..])
    );
    assert_eq!(spec.date.as_deref(), Some("2026-11-16"));
    assert_eq!(spec.metadata["source_code_uri"], "https://example.com/src");
    assert_eq!(spec.required_ruby_version.to_string(), ">= 2.7");
    assert_eq!(spec.runtime_dependencies().map(|d| d.name.as_str()).collect::<Vec<_>>(), ["rake"]);
    let stored = serde_json::to_vec(&spec).expect("plain data");
    assert_eq!(serde_json::from_slice::<GemSpecification>(&stored).expect("plain data"), spec);
}

#[test]
fn platforms_are_texts_or_objects() {
    assert_eq!(specification("hello", "java").full_name(), "hello-1.1.0-java");
    let object = "!ruby/object:Gem::Platform\n  cpu: x86_64\n  os: linux\n  version:";
    assert_eq!(specification("hello", object).number(), "1.1.0-x86_64-linux");
    assert!(GemSpecification::parse(sample("hello", "../x", "").as_bytes()).is_err());
}

#[test]
fn other_specifications_are_refused() {
    for (text, reason) in [
        (sample("hello", "ruby", "").replace("Specification", "Installer"), "it is not a Gem::Specification"),
        (sample("he/llo", "ruby", ""), "gem name 'he/llo' is not valid"),
        (sample("\"a\\nb\"", "ruby", ""), "gem name 'a\\nb' is not valid"),
        (sample(&"x".repeat(1 << 19), "ruby", ""), "is not valid"),
        (sample("hello", "ruby", "").replace("1.1.0", "\"1|2\""), "version '1|2' is not valid"),
        (sample("hello", "ruby", "").replace("name: rake", "name: \"a,b\""), "gem name 'a,b' is not valid"),
        (sample("hello", "ruby", "").replace("version: '14'", "version: \"14&< 2\""), "version '14&< 2' is not valid"),
        (sample("hello", "ruby", "name: other"), "the key 'name' appears twice"),
    ] {
        let refusal = GemSpecification::parse(text.as_bytes()).expect_err(reason);
        assert!(refusal.contains(reason), "{refusal}");
    }
}

#[test]
fn foreign_objects_are_only_read() {
    let more = "x: !ruby/object:Gem::Installer\n  i: !ruby/object:Gem::Package::TarReader\n    io: x\n";
    let text = sample("hello", "ruby", more);
    assert_eq!(GemSpecification::parse(text.as_bytes()).expect("valid"), specification("hello", "ruby"));
}

/// `oracles/rubygems_yaml.rb` writes the specifications with Ruby.
#[test]
fn specifications_are_read_as_ruby_wrote_them() {
    for line in include_str!("../../oracles/rubygems-yaml.jsonl").lines() {
        let expected: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let yaml = expected["yaml"].as_str().expect("a text");
        let spec = GemSpecification::parse(yaml.as_bytes()).expect(yaml);
        let text = |key: &str| clean(expected[key].as_str().unwrap_or_default(), TEXT);
        let texts = |key: &str| -> Vec<String> {
            let list = expected[key].as_array().expect("a list").iter();
            list.filter_map(|value| value.as_str()).map(|text| clean(text, 500)).collect()
        };
        assert_eq!((spec.name.as_str(), spec.version.as_str()), (text("name").as_str(), text("version").as_str()));
        assert_eq!(spec.platform, text("platform"));
        assert_eq!(
            (spec.summary, spec.description.unwrap_or_default()),
            (text("summary"), text("description")),
            "{yaml}"
        );
        assert_eq!((spec.authors, spec.email), (texts("authors"), texts("email")), "{yaml}");
        assert_eq!((spec.homepage, spec.licenses), (Some(text("homepage")), texts("licenses")));
        assert_eq!(spec.metadata["note"], clean(&text("note"), 1024));
        let dependencies: Vec<serde_json::Value> = spec
            .dependencies
            .iter()
            .map(|d| {
                let kind = if d.is_development { "development" } else { "runtime" };
                serde_json::json!([d.name.as_str(), d.requirement.to_string(), kind])
            })
            .collect();
        assert_eq!(serde_json::Value::from(dependencies), expected["dependencies"]);
    }
}
