//! Requirements of dependencies: pairs of an operator and a version.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::version::GemVersion;
use crate::readers::{gem_yaml::YamlNode, quoted};

/// The operators, and the maximum number of pairs.
const OPERATORS: [&str; 7] = ["=", "!=", ">", "<", ">=", "<=", "~>"];
const PAIRS: usize = 100;

/// A requirement. Without pairs, every version fits: `>= 0`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct GemRequirement {
    /// The operators with their versions.
    pub pairs: Vec<(String, GemVersion)>,
}

impl GemRequirement {
    /// Reads a requirement of a specification.
    pub(super) fn read(node: &YamlNode) -> Result<Self, String> {
        let list = node.get("requirements").and_then(YamlNode::list).ok_or("a requirement has no list")?;
        if list.len() > PAIRS {
            return Err(format!("a requirement has more than {PAIRS} parts"));
        }
        let pairs = list.iter().map(read_pair).collect::<Result<_, _>>()?;
        Ok(Self { pairs })
    }

    /// Returns whether every version fits.
    pub fn is_any(&self) -> bool {
        self.pairs.iter().all(|(operator, version)| operator == ">=" && version.as_str() == "0")
    }

    /// The pairs, at least one.
    pub(super) fn parts(&self) -> Vec<(&str, &str)> {
        if self.pairs.is_empty() {
            return vec![(">=", "0")];
        }
        self.pairs.iter().map(|(operator, version)| (operator.as_str(), version.as_str())).collect()
    }
}

fn read_pair(node: &YamlNode) -> Result<(String, GemVersion), String> {
    let [operator, version] = node.list().unwrap_or_default() else {
        return Err("a requirement is not a pair of operator and version".to_owned());
    };
    let operator = operator.text().unwrap_or_default();
    if !OPERATORS.contains(&operator) {
        return Err(format!("the operator '{}' of a requirement is unknown", quoted(operator)));
    }
    Ok((operator.to_owned(), read_version(version)?))
}

/// Reads a version: an object with the text, or the text alone.
pub(super) fn read_version(node: &YamlNode) -> Result<GemVersion, String> {
    let text = node.text().or_else(|| node.get("version").and_then(YamlNode::text)).ok_or("a version has no text")?;
    GemVersion::parse(text)
}

impl fmt::Display for GemRequirement {
    /// Writes the requirement for the compact index: `>= 12&< 14`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> =
            self.parts().into_iter().map(|(operator, version)| format!("{operator} {version}")).collect();
        f.write_str(&parts.join("&"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<GemRequirement, String> {
        GemRequirement::read(&YamlNode::parse(text.as_bytes()).expect("YAML"))
    }

    #[test]
    fn requirements_are_pairs() {
        let requirement = read("requirements:\n- - \">=\"\n  - version: '12'\n- - \"<\"\n  - version: '14'\n");
        assert_eq!(requirement.as_ref().map(ToString::to_string).as_deref(), Ok(">= 12&< 14"));
        assert_eq!(requirement.map(|requirement| requirement.is_any()), Ok(false));
        let any = read("requirements:\n- - \">=\"\n  - version: '0'\n").expect("valid");
        assert!(any.is_any() && GemRequirement::default().is_any());
        assert_eq!(GemRequirement::default().to_string(), ">= 0");
    }

    #[test]
    fn forged_requirements_are_refused() {
        for bad in [
            "requirements:\n- - \"=>\"\n  - version: '1'\n",
            "requirements:\n- - \">=\"\n  - version: \"1\\n2.0 |checksum:x\"\n",
            "requirements:\n- - \">=\"\n  - version: \"1,evil:>= 0\"\n",
            "requirements:\n- - \">=\"\n",
            "requirements: x\n",
            "a: b\n",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
