//! conaninfo.txt: settings, options and requirements of a binary package.

use std::collections::BTreeMap;

/// The maximum size of a conaninfo.txt.
pub const INFO_BYTES: usize = 64 * 1024;

/// A parsed conaninfo.txt. A package without settings has an empty one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ConanInfo {
    /// The settings, for example `os`.
    pub settings: BTreeMap<String, String>,
    /// The options.
    pub options: BTreeMap<String, String>,
    /// The requirements.
    pub requires: Vec<String>,
}

impl ConanInfo {
    /// Parses the file. Sections that are unknown are ignored.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > INFO_BYTES {
            return Err("conaninfo.txt is larger than 64 KiB".to_owned());
        }
        let text = str::from_utf8(bytes).map_err(|_| "conaninfo.txt is not UTF-8".to_owned())?;
        if text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t')) {
            return Err("conaninfo.txt holds a control character".to_owned());
        }
        let mut info = Self::default();
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name;
                continue;
            }
            info.add(section, line);
        }
        Ok(info)
    }

    fn add(&mut self, section: &str, line: &str) {
        let map = match section {
            "requires" => {
                self.requires.push(line.to_owned());
                return;
            }
            "settings" => &mut self.settings,
            "options" => &mut self.options,
            _ => return,
        };
        if let Some((key, value)) = line.split_once('=') {
            map.insert(key.trim().to_owned(), value.trim().to_owned());
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sections_are_read() {
        let text =
            "[settings]\nos=Linux\ncompiler.version = 13\n\n[options]\nshared=False\n[requires]\nzlib/1.3\n[x]\ny=z\n";
        let info = ConanInfo::parse(text.as_bytes()).expect("valid");
        assert_eq!((info.settings["os"].as_str(), info.settings["compiler.version"].as_str()), ("Linux", "13"));
        assert_eq!((info.options["shared"].as_str(), info.requires), ("False", vec!["zlib/1.3".to_owned()]));
        assert_eq!(ConanInfo::parse(b""), Ok(ConanInfo::default()));
    }

    #[test]
    fn large_and_odd_files_are_refused() {
        assert!(ConanInfo::parse(&vec![b'#'; 10 << 20]).is_err());
        assert!(ConanInfo::parse(b"\xff").is_err() && ConanInfo::parse(b"a\x02b").is_err());
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[\\[\\]a-c=\\n #]{0,40}") {
            prop_assert!(ConanInfo::parse(text.as_bytes()).is_ok());
        }
    }
}
