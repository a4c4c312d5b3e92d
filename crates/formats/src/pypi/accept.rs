//! The form of a page that a client accepts.

use crate::accept::weight;

/// The form of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageForm {
    /// JSON (PEP 691).
    Json,
    /// HTML under its own media type.
    VersionedHtml,
    /// HTML under the media type of all HTML.
    Html,
}

/// The forms in the order of the server's preference.
const FORMS: &[PageForm] = &[PageForm::Json, PageForm::VersionedHtml, PageForm::Html];

impl PageForm {
    /// Chooses the form with the highest weight in an `Accept` header; HTML if the header names none of the forms.
    pub fn choose(accept: &str) -> Self {
        let accept = accept.replace("simple.latest+", "simple.v1+");
        let mut best = (0.0, PageForm::Html);
        for form in FORMS {
            let weight = weight(&accept, form.content_type());
            if weight > best.0 {
                best = (weight, *form);
            }
        }
        best.1
    }

    /// The media type.
    pub fn content_type(self) -> &'static str {
        match self {
            PageForm::Json => "application/vnd.pypi.simple.v1+json",
            PageForm::VersionedHtml => "application/vnd.pypi.simple.v1+html",
            PageForm::Html => "text/html",
        }
    }

    /// The name of the page in its folder.
    pub fn file_name(self) -> &'static str {
        match self {
            PageForm::Json => "index.json",
            PageForm::VersionedHtml | PageForm::Html => "index.html",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_with_the_highest_weight_is_chosen() {
        let pip = "application/vnd.pypi.simple.v1+json, application/vnd.pypi.simple.v1+html; q=0.1, text/html; q=0.01";
        for (accept, form) in [
            (pip, PageForm::Json),
            ("application/vnd.pypi.simple.v1+json;q=0.2, application/vnd.pypi.simple.v1+html", PageForm::VersionedHtml),
            ("application/vnd.pypi.simple.latest+json", PageForm::Json),
            ("text/html, application/vnd.pypi.simple.v1+json;q=0", PageForm::Html),
            ("*/*", PageForm::Html),
            ("", PageForm::Html),
            ("application/json", PageForm::Html),
            ("application/vnd.pypi.simple.v1+json;q=x", PageForm::Html),
        ] {
            assert_eq!(PageForm::choose(accept), form, "{accept}");
        }
        assert_eq!(PageForm::VersionedHtml.file_name(), PageForm::Html.file_name());
    }
}
