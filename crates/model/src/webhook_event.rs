//! Events that webhooks subscribe to.

use std::fmt;

/// An event that a webhook can subscribe to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WebhookEvent {
    /// A version is published for the first time.
    Release,
    /// Files of a version are published.
    Publish,
    /// A file is uploaded.
    Upload,
    /// A file or a version is deleted.
    Delete,
}

impl WebhookEvent {
    /// All events, in the order of lists.
    pub const ALL: [WebhookEvent; 4] =
        [WebhookEvent::Release, WebhookEvent::Publish, WebhookEvent::Upload, WebhookEvent::Delete];

    /// The event of this name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.as_str().eq_ignore_ascii_case(text))
    }

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            WebhookEvent::Release => "release",
            WebhookEvent::Publish => "publish",
            WebhookEvent::Upload => "upload",
            WebhookEvent::Delete => "delete",
        }
    }
}

/// The events that a webhook subscribes to: at least one, each once, in the order of [`WebhookEvent::ALL`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvents(Vec<WebhookEvent>);

impl WebhookEvents {
    /// These events, in any order and however often each is named; `None` when there is no event.
    pub fn new(events: &[WebhookEvent]) -> Option<Self> {
        let events: Vec<WebhookEvent> = WebhookEvent::ALL.into_iter().filter(|event| events.contains(event)).collect();
        (!events.is_empty()).then_some(Self(events))
    }

    /// Reads the stored form: names, separated by commas.
    pub fn parse(text: &str) -> Option<Self> {
        let events: Option<Vec<WebhookEvent>> = text.split(',').map(WebhookEvent::parse).collect();
        Self::new(&events?)
    }

    /// The events.
    pub fn as_slice(&self) -> &[WebhookEvent] {
        &self.0
    }
}

impl Default for WebhookEvents {
    /// Releases only.
    fn default() -> Self {
        Self(vec![WebhookEvent::Release])
    }
}

impl fmt::Display for WebhookEvents {
    /// Writes the stored form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.0.iter().map(|event| event.as_str()).collect();
        f.write_str(&names.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_reads_as_it_is_written() {
        for event in WebhookEvent::ALL {
            assert_eq!(WebhookEvent::parse(event.as_str()), Some(event));
            assert_eq!(WebhookEvent::parse(&event.as_str().to_uppercase()), Some(event));
        }
        for bad in ["", "download", "login_success", "usage_threshold", "release "] {
            assert_eq!(WebhookEvent::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn no_name_of_an_event_is_in_another_one() {
        for event in WebhookEvent::ALL {
            let holds = |other: &WebhookEvent| other.as_str().contains(event.as_str());
            assert_eq!(WebhookEvent::ALL.into_iter().filter(holds).count(), 1, "{event:?}");
        }
    }

    #[test]
    fn events_have_one_order_and_no_duplicates() {
        let events = [WebhookEvent::Delete, WebhookEvent::Release, WebhookEvent::Delete];
        let events = WebhookEvents::new(&events).expect("there are events");
        assert_eq!(events.to_string(), "release,delete");
        assert_eq!(WebhookEvents::parse("delete,release"), Some(events));
        assert_eq!(WebhookEvents::parse(&WebhookEvents::default().to_string()), Some(WebhookEvents::default()));
        for bad in ["", "release,", "release, delete", "download"] {
            assert_eq!(WebhookEvents::parse(bad), None, "{bad}");
        }
        assert_eq!(WebhookEvents::new(&[]), None);
    }
}
