//! The fields of a form as data; one template renders them all.

/// A field.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    /// The name in the submitted form.
    pub(crate) name: &'static str,
    /// The visible name.
    pub(crate) label: &'static str,
    /// A sentence below the field.
    pub(crate) hint: String,
    /// The reason why its value was rejected; empty if it was not.
    pub(crate) error: String,
    pub(crate) kind: FieldKind,
    /// The current value.
    pub(crate) value: String,
    pub(crate) is_required: bool,
    /// What can be done about a rejected value with one button: the value of the button, and its text.
    pub(crate) offers: Vec<(String, String)>,
    /// What an item of a list can be, with what else people call it. The form has an input that adds one.
    pub(crate) items: Vec<(&'static str, String)>,
}

/// The kind of input.
#[derive(Debug, Clone)]
pub(crate) enum FieldKind {
    /// One line, with suggestions.
    Line(Vec<String>),
    /// Several lines.
    Text,
    /// A whole document.
    Document,
    /// Yes or no.
    Check,
    /// A point in time.
    Moment,
    /// One of these values, each with its text.
    Choice(Vec<(&'static str, &'static str)>),
}

impl Field {
    fn new(name: &'static str, label: &'static str, kind: FieldKind, value: &str) -> Self {
        Self {
            name,
            label,
            hint: String::new(),
            error: String::new(),
            kind,
            value: value.to_owned(),
            is_required: false,
            offers: Vec::new(),
            items: Vec::new(),
        }
    }

    /// A field of one line.
    pub(crate) fn line(name: &'static str, label: &'static str, value: &str) -> Self {
        Self::new(name, label, FieldKind::Line(Vec::new()), value)
    }

    /// A field for a point in time, in UTC.
    pub(crate) fn moment(name: &'static str, label: &'static str, value: &str) -> Self {
        Self::new(name, label, FieldKind::Moment, value)
    }

    /// A field of several lines.
    pub(crate) fn text(name: &'static str, label: &'static str, value: &str) -> Self {
        Self::new(name, label, FieldKind::Text, value)
    }

    /// A list, one item per line.
    pub(crate) fn list(name: &'static str, label: &'static str, value: &str) -> Self {
        Self::text(name, label, value).hint("One per line.")
    }

    /// A field for a long text.
    pub(crate) fn document(name: &'static str, label: &'static str, value: &str) -> Self {
        Self::new(name, label, FieldKind::Document, value)
    }

    /// A checkbox.
    pub(crate) fn check(name: &'static str, label: &'static str, is_checked: bool) -> Self {
        Self::new(name, label, FieldKind::Check, if is_checked { super::CHECKED } else { "" })
    }

    /// A choice of one of several values.
    pub(crate) fn choice(
        name: &'static str,
        label: &'static str,
        choices: impl IntoIterator<Item = &'static str>,
        value: &str,
    ) -> Self {
        Self::titled_choice(name, label, choices.into_iter().map(|choice| (choice, choice)), value)
    }

    /// A choice of one of several values, each with its text.
    pub(crate) fn titled_choice(
        name: &'static str,
        label: &'static str,
        choices: impl IntoIterator<Item = (&'static str, &'static str)>,
        value: &str,
    ) -> Self {
        Self::new(name, label, FieldKind::Choice(choices.into_iter().collect()), value)
    }

    /// Adds a hint.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = hint.into();
        self
    }

    /// Adds suggestions.
    pub(crate) fn suggest(mut self, suggestions: Vec<String>) -> Self {
        self.kind = FieldKind::Line(suggestions);
        self
    }

    /// Adds an input with suggestions for one more item of a list. Its name is that of the field after `add_`.
    pub(crate) fn adding(mut self, items: Vec<(&'static str, String)>) -> Self {
        self.items = items;
        self
    }

    /// Makes the field required.
    pub(crate) fn required(mut self) -> Self {
        self.is_required = true;
        self
    }
}
