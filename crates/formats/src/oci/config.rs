//! The configuration of an image: its platform and labels, for pages about the image.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::descriptor::OciPlatform;
use crate::readers::json;

/// The maximum size of a configuration that is read.
pub const CONFIG_BYTES: usize = 1024 * 1024;

/// The maximum number of labels that are taken.
const LABELS: usize = 200;

/// The maximum length of a label that is taken.
const LABEL_BYTES: usize = 4096;

/// The maximum number of steps that are taken.
const STEPS: usize = 500;

/// The maximum length of a step's command that is taken.
const STEP_CHARS: usize = 500;

/// The facts of an image's configuration.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageConfig {
    /// The platform.
    pub platform: Option<OciPlatform>,
    /// The labels.
    pub labels: BTreeMap<String, String>,
    /// The commands that made the image, and whether each made no layer.
    pub history: Vec<(String, bool)>,
}

/// Returns whether a configuration of this media type is that of an image.
pub fn is_image_config(media_type: &str) -> bool {
    matches!(media_type, "application/vnd.oci.image.config.v1+json" | "application/vnd.docker.container.image.v1+json")
}

impl ImageConfig {
    /// Parses a configuration. Labels that are very long are left out.
    pub fn parse(bytes: &[u8]) -> Result<Self, String> {
        if bytes.len() > CONFIG_BYTES {
            return Err("the image's configuration is larger than 1 MiB".to_owned());
        }
        let document = json::parse(bytes).map_err(|reason| format!("the image's configuration: {reason}"))?;
        let labels = document.pointer("/config/Labels").and_then(Value::as_object);
        let texts = labels.into_iter().flatten().filter_map(|(key, value)| Some((key.clone(), value.as_str()?)));
        let short = texts.filter(|(key, value)| key.len() + value.len() <= LABEL_BYTES).take(LABELS);
        Ok(Self {
            platform: OciPlatform::parse(&document),
            labels: short.map(|(key, value)| (key, value.to_owned())).collect(),
            history: history(&document),
        })
    }
}

fn history(document: &Value) -> Vec<(String, bool)> {
    let steps = document.get("history").and_then(Value::as_array);
    let step = |step: &Value| {
        let text = step.get("created_by").and_then(Value::as_str).unwrap_or_default();
        let is_empty = step.get("empty_layer").and_then(Value::as_bool) == Some(true);
        (text.chars().take(STEP_CHARS).collect(), is_empty)
    };
    steps.into_iter().flatten().take(STEPS).map(step).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn platform_and_labels_are_read() {
        let text = json!({
            "os": "linux", "architecture": "amd64",
            "config": { "Labels": { "a": "b", "n": 1, "long": "x".repeat(5000) }, "Env": ["A=1"] },
            "history": [{ "created_by": "ADD / #" }, { "created_by": "ENV A=1", "empty_layer": true }, 7],
        });
        let config = ImageConfig::parse(text.to_string().as_bytes()).expect("valid");
        assert_eq!(config.platform.expect("a platform").architecture, "amd64");
        assert_eq!(config.labels.into_iter().collect::<Vec<_>>(), [("a".to_owned(), "b".to_owned())]);
        let expected = [("ADD / #".to_owned(), false), ("ENV A=1".to_owned(), true), (String::new(), false)];
        assert_eq!(config.history, expected);
        assert_eq!(ImageConfig::parse(b"{}"), Ok(ImageConfig::default()));
        assert!(is_image_config("application/vnd.oci.image.config.v1+json"));
        assert!(!is_image_config("application/vnd.oci.empty.v1+json"));
    }

    #[test]
    fn other_texts_are_refused() {
        assert!(ImageConfig::parse(b"no JSON").is_err());
        assert!(ImageConfig::parse(&vec![b' '; CONFIG_BYTES + 1]).is_err());
    }
}
