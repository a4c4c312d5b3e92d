//! The fields of a package that can be edited.

use model::package::PackageProfile;
use operations::catalogue::packages::PackageChange;
use web::error::Result;

use crate::form::{Field, Form, checked};

/// The change that a form asks for.
pub(super) fn change(form: &Form) -> Result<PackageChange> {
    Ok(PackageChange {
        description: Some(form.text("desc").to_owned()),
        labels: Some(form.lines("labels")),
        licenses: Some(form.lines("licenses")),
        custom_licenses: Some(form.lines("custom_licenses")),
        website_url: Some(form.optional("website_url")?),
        issue_tracker_url: Some(form.optional("issue_tracker_url")?),
        vcs_url: Some(form.optional("vcs_url")?),
        github_repo: Some(form.optional("github_repo")?),
        github_release_notes_file: Some(form.optional("github_release_notes_file")?),
        public_download_numbers: Some(form.is_checked("public_download_numbers")),
    })
}

/// The form with the stored values.
pub(super) fn stored(profile: &PackageProfile) -> Form {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Form::with([
        ("desc", profile.description.clone()),
        ("labels", profile.labels.join("\n")),
        ("licenses", profile.licenses.join("\n")),
        ("custom_licenses", profile.custom_licenses.join("\n")),
        ("website_url", text(&profile.website_url)),
        ("issue_tracker_url", text(&profile.issue_tracker_url)),
        ("vcs_url", text(&profile.vcs_url)),
        ("github_repo", text(&profile.github_repo)),
        ("github_release_notes_file", text(&profile.github_release_notes_file)),
        ("public_download_numbers", checked(profile.public_download_numbers)),
    ])
}

/// The fields of the form.
pub(super) fn profile_fields(form: &Form) -> Vec<Field> {
    let line = |name, label| Field::line(name, label, form.text(name));
    vec![
        Field::text("desc", "Description", form.text("desc")),
        Field::list("labels", "Labels", form.text("labels")),
        Field::list("licenses", "Licences", form.text("licenses")).hint("One per line, for example MIT or Apache-2.0."),
        Field::list("custom_licenses", "Custom licences", form.text("custom_licenses")),
        line("website_url", "Website"),
        line("issue_tracker_url", "Issue tracker"),
        line("vcs_url", "Source code"),
        line("github_repo", "GitHub repository").hint("As owner/name."),
        line("github_release_notes_file", "Release notes file in that repository"),
        Field::check(
            "public_download_numbers",
            "Download statistics are public",
            form.is_checked("public_download_numbers"),
        ),
    ]
}
