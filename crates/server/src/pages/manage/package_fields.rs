//! What may change of a package, as fields of a form.

use database::catalogue::packages::PackageProfile;
use operations::catalogue::packages::PackageChange;

use crate::pages::{
    fields::Field,
    sent::{Sent, checked},
};

/// What the fields say.
pub(super) fn change(sent: &Sent) -> PackageChange {
    PackageChange {
        description: Some(sent.text("desc").to_owned()),
        labels: Some(sent.list("labels")),
        licenses: Some(sent.list("licenses")),
        custom_licenses: Some(sent.list("custom_licenses")),
        website_url: Some(sent.optional("website_url")),
        issue_tracker_url: Some(sent.optional("issue_tracker_url")),
        vcs_url: Some(sent.optional("vcs_url")),
        github_repo: Some(sent.optional("github_repo")),
        github_release_notes_file: Some(sent.optional("github_release_notes_file")),
        public_download_numbers: Some(sent.is_checked("public_download_numbers")),
    }
}

/// What the fields hold before anything is put in.
pub(super) fn stored(profile: &PackageProfile) -> Sent {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    Sent::of([
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

/// The fields.
pub(super) fn profile_fields(sent: &Sent) -> Vec<Field> {
    let line = |name, label| Field::line(name, label, sent.text(name));
    vec![
        Field::text("desc", "Description", sent.text("desc")),
        Field::list("labels", "Labels", sent.text("labels")),
        Field::list("licenses", "Licences", sent.text("licenses")).hint("One a line, such as MIT or Apache-2.0."),
        Field::list("custom_licenses", "Licences of your own", sent.text("custom_licenses")),
        line("website_url", "Website"),
        line("issue_tracker_url", "Where to report problems"),
        line("vcs_url", "Where the source is"),
        line("github_repo", "Repository at GitHub").hint("As owner/name."),
        line("github_release_notes_file", "File of release notes there"),
        Field::check(
            "public_download_numbers",
            "Everyone may see how often it is downloaded",
            sent.is_checked("public_download_numbers"),
        ),
    ]
}
