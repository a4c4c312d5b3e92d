//! The fields of a package that can be edited.

use model::package::{PackageChange, PackageProfile};
use web::error::Result;

use self::ProfileValue::{Check, Line, List, Text};
use super::license_offers;
use crate::form::{Field, Form, checked};

/// A field of the form, and the value that it edits.
struct ProfileField {
    name: &'static str,
    label: &'static str,
    hint: &'static str,
    value: ProfileValue,
}

/// The place of a value in the profile.
enum ProfileValue {
    Text(fn(&mut PackageProfile) -> &mut String),
    List(fn(&mut PackageProfile) -> &mut Vec<String>),
    Line(fn(&mut PackageProfile) -> &mut Option<String>),
    Check(fn(&mut PackageProfile) -> &mut bool),
}

const FIELDS: &[ProfileField] = &[
    ProfileField::new("desc", "Description", Text(|profile| &mut profile.description)),
    ProfileField::new("labels", "Labels", List(|profile| &mut profile.labels)),
    ProfileField::new("licenses", "Licences", List(|profile| &mut profile.licenses))
        .hint("One per line. SPDX names such as BSD-3-Clause lead to the name in the list."),
    ProfileField::new("custom_licenses", "Custom licences", List(|profile| &mut profile.custom_licenses)),
    ProfileField::new("website_url", "Website", Line(|profile| &mut profile.website_url)),
    ProfileField::new("issue_tracker_url", "Issue tracker", Line(|profile| &mut profile.issue_tracker_url)),
    ProfileField::new("vcs_url", "Source code", Line(|profile| &mut profile.vcs_url)),
    ProfileField::new("github_repo", "GitHub repository", Line(|profile| &mut profile.github_repo))
        .hint("As owner/name."),
    ProfileField::new(
        "github_release_notes_file",
        "Release notes file in that repository",
        Line(|profile| &mut profile.github_release_notes_file),
    ),
    ProfileField::new(
        "public_download_numbers",
        "Download statistics are public",
        Check(|profile| &mut profile.public_download_numbers),
    ),
];

impl ProfileField {
    const fn new(name: &'static str, label: &'static str, value: ProfileValue) -> Self {
        Self { name, label, hint: "", value }
    }

    const fn hint(self, hint: &'static str) -> Self {
        Self { hint, ..self }
    }

    /// Sets the value to the one in the form.
    fn read(&self, form: &Form, profile: &mut PackageProfile) -> Result<()> {
        match self.value {
            Text(text) => *text(profile) = form.text(self.name).to_owned(),
            List(list) => *list(profile) = form.lines(self.name),
            Line(line) => *line(profile) = form.optional(self.name)?,
            Check(flag) => *flag(profile) = form.is_checked(self.name),
        }
        Ok(())
    }

    /// The value as the form contains it.
    fn stored(&self, profile: &mut PackageProfile) -> String {
        match self.value {
            Text(text) => text(profile).clone(),
            List(list) => list(profile).join("\n"),
            Line(line) => line(profile).clone().unwrap_or_default(),
            Check(flag) => checked(*flag(profile)),
        }
    }

    fn field(&self, form: &Form) -> Field {
        let (name, label, value) = (self.name, self.label, form.text(self.name));
        let field = match self.value {
            Text(_) => Field::text(name, label, value),
            List(_) => Field::list(name, label, value),
            Line(_) => Field::line(name, label, value),
            Check(_) => Field::check(name, label, form.is_checked(name)),
        };
        let field = if self.hint.is_empty() { field } else { field.hint(self.hint) };
        if name == "licenses" { field.adding(license_offers::items()) } else { field }
    }
}

/// The change that a form asks for: of all fields.
pub(super) fn change(form: &Form) -> Result<PackageChange> {
    let mut profile = PackageProfile::default();
    for field in FIELDS {
        field.read(form, &mut profile)?;
    }
    Ok(profile.into())
}

/// The form with the stored values.
pub(super) fn stored(profile: &PackageProfile) -> Form {
    let mut profile = profile.clone();
    Form::with(FIELDS.iter().map(|field| (field.name, field.stored(&mut profile))))
}

/// The fields of the form.
pub(super) fn profile_fields(form: &Form) -> Vec<Field> {
    FIELDS.iter().map(|field| field.field(form)).collect()
}
