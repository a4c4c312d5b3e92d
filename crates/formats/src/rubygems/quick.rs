//! The quick specification, `<full name>.gemspec.rz`: a Marshal dump, compressed with zlib.

use std::io::Write;

use flate2::{Compression, write::ZlibEncoder};

use super::{requirement::GemRequirement, specification::GemSpecification, specs::write_version};
use crate::readers::marshal::Marshal;

/// The version of the specification format.
const SPECIFICATION_VERSION: u32 = 4;

/// The compressed specification.
pub fn quick_spec(specification: &GemSpecification) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(&marshal_spec(specification)).expect("memory takes all bytes");
    encoder.finish().expect("memory takes all bytes")
}

/// The specification as `Marshal.dump` writes it.
pub fn marshal_spec(specification: &GemSpecification) -> Vec<u8> {
    let mut marshal = Marshal::document();
    marshal.loaded("Gem::Specification", &fields(specification));
    marshal.into_bytes()
}

/// The 19 fields that `Gem::Specification._load` reads.
fn fields(spec: &GemSpecification) -> Vec<u8> {
    let mut marshal = Marshal::document();
    marshal.array(19);
    marshal.string(&spec.rubygems_version);
    marshal.integer(SPECIFICATION_VERSION);
    marshal.string(spec.name.as_str());
    write_version(&mut marshal, spec.version.as_str());
    marshal.string(spec.date.as_deref().unwrap_or("1980-01-02"));
    marshal.string(&spec.summary);
    write_requirement(&mut marshal, &spec.required_ruby_version);
    write_requirement(&mut marshal, &spec.required_rubygems_version);
    marshal.string(&spec.platform);
    write_dependencies(&mut marshal, spec);
    marshal.string("");
    write_texts(&mut marshal, &spec.email);
    write_texts(&mut marshal, &spec.authors);
    write_optional(&mut marshal, spec.description.as_deref());
    write_optional(&mut marshal, spec.homepage.as_deref());
    marshal.bool(true);
    marshal.string(&spec.platform);
    write_texts(&mut marshal, &spec.licenses);
    marshal.hash(spec.metadata.len());
    for (key, value) in &spec.metadata {
        marshal.string(key);
        marshal.string(value);
    }
    marshal.into_bytes()
}

fn write_dependencies(marshal: &mut Marshal, spec: &GemSpecification) {
    marshal.array(spec.dependencies.len());
    for dependency in &spec.dependencies {
        marshal.object("Gem::Dependency", 5);
        marshal.symbol("@name");
        marshal.string(dependency.name.as_str());
        marshal.symbol("@requirement");
        write_requirement(marshal, &dependency.requirement);
        marshal.symbol("@type");
        marshal.symbol(if dependency.is_development { "development" } else { "runtime" });
        marshal.symbol("@prerelease");
        marshal.bool(false);
        marshal.symbol("@version_requirements");
        write_requirement(marshal, &dependency.requirement);
    }
}

fn write_requirement(marshal: &mut Marshal, requirement: &GemRequirement) {
    let parts = requirement.parts();
    marshal.custom("Gem::Requirement");
    marshal.array(1);
    marshal.array(parts.len());
    for (operator, version) in parts {
        marshal.array(2);
        marshal.string(operator);
        write_version(marshal, version);
    }
}

fn write_texts(marshal: &mut Marshal, texts: &[String]) {
    marshal.array(texts.len());
    for text in texts {
        marshal.string(text);
    }
}

fn write_optional(marshal: &mut Marshal, text: Option<&str>) {
    match text {
        Some(text) => marshal.string(text),
        None => marshal.nil(),
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read;

    use flate2::read::ZlibDecoder;

    use super::{super::specification::tests::specification, *};

    /// `oracles/rubygems_quick.rb` loads the same bytes with Ruby and compares every field.
    #[test]
    fn a_quick_specification_is_a_marshal_dump() {
        let spec = specification("hello", "ruby");
        let mut bytes = Vec::new();
        ZlibDecoder::new(quick_spec(&spec).as_slice()).read_to_end(&mut bytes).expect("zlib");
        assert_eq!(bytes, marshal_spec(&spec));
        let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hex, include_str!("../../oracles/rubygems-quick.hex").trim());
    }
}
