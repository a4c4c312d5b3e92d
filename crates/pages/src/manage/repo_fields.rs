//! The fields of a repository that can be edited.

use model::repo::{Repo, RepoProfile};
use operations::{House, catalogue::repos::RepoChange};
use web::error::Result;

use crate::form::{Field, Form, checked};

/// The change that a form asks for.
pub(super) fn change(form: &Form) -> Result<RepoChange> {
    Ok(RepoChange {
        is_private: Some(form.is_checked("private")),
        description: Some(form.text("desc").to_owned()),
        labels: Some(form.lines("labels")),
        gpg_sign_metadata: Some(form.is_checked("gpg_sign_metadata")),
        gpg_sign_files: Some(form.is_checked("gpg_sign_files")),
        gpg_use_owner_key: Some(form.is_checked("gpg_use_owner_key")),
        version_update_max_days: Some(form.number("version_update_max_days")?),
        default_debian_distribution: Some(form.optional("default_debian_distribution")?),
        default_debian_component: Some(form.optional("default_debian_component")?),
        default_debian_architecture: Some(form.optional("default_debian_architecture")?),
        yum_metadata_depth: Some(form.number("yum_metadata_depth")?),
        debian_valid_days: Some(form.number("debian_valid_days")?),
        debian_contents: Some(form.is_checked("debian_contents")),
        native_staged: Some(form.is_checked("native_staged")),
        untagged_days: Some(form.number("untagged_days")?),
    })
}

/// The change for a repository of this type; fields of other types stay.
pub(super) fn change_of(house: &House, repo: &Repo, form: &Form) -> Result<RepoChange> {
    let change = change(form)?;
    let (is_debian, is_rpm) = (repo.kind == "debian", repo.kind == "rpm");
    Ok(RepoChange {
        default_debian_distribution: change.default_debian_distribution.filter(|_| is_debian),
        default_debian_component: change.default_debian_component.filter(|_| is_debian),
        default_debian_architecture: change.default_debian_architecture.filter(|_| is_debian),
        yum_metadata_depth: change.yum_metadata_depth.filter(|_| is_rpm),
        debian_valid_days: change.debian_valid_days.filter(|_| is_debian),
        debian_contents: change.debian_contents.filter(|_| is_debian),
        native_staged: change.native_staged.filter(|_| house.has_native(&repo.kind)),
        untagged_days: change.untagged_days.filter(|_| house.format(&repo.kind).holds_images()),
        ..change
    })
}

/// The form with the stored values.
pub(super) fn stored(profile: &RepoProfile) -> Form {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let number = |value: Option<i64>| value.map(|number| number.to_string()).unwrap_or_default();
    Form::with([
        ("private", checked(profile.is_private)),
        ("desc", profile.description.clone()),
        ("labels", profile.labels.join("\n")),
        ("gpg_sign_metadata", checked(profile.gpg_sign_metadata)),
        ("gpg_sign_files", checked(profile.gpg_sign_files)),
        ("gpg_use_owner_key", checked(profile.gpg_use_owner_key)),
        ("version_update_max_days", number(profile.version_update_max_days)),
        ("default_debian_distribution", text(&profile.default_debian_distribution)),
        ("default_debian_component", text(&profile.default_debian_component)),
        ("default_debian_architecture", text(&profile.default_debian_architecture)),
        ("yum_metadata_depth", number(profile.yum_metadata_depth)),
        ("debian_valid_days", number(profile.debian_valid_days)),
        ("debian_contents", checked(profile.debian_contents)),
        ("native_staged", checked(profile.native_staged)),
        ("untagged_days", number(profile.untagged_days)),
    ])
}

/// The fields of every repository.
pub(super) fn profile_fields(form: &Form) -> Vec<Field> {
    let check = |name, label| Field::check(name, label, form.is_checked(name));
    vec![
        check("private", "Private: visible only to people with access"),
        Field::text("desc", "Description", form.text("desc")),
        Field::list("labels", "Labels", form.text("labels")),
        check("gpg_sign_files", "Sign files when they are published"),
        check("gpg_sign_metadata", "Sign indexes"),
        check("gpg_use_owner_key", "Sign with the owner's key instead of the server's"),
        Field::line(
            "version_update_max_days",
            "Days in which a published version accepts files",
            form.text("version_update_max_days"),
        )
        .hint("Empty for the default of this server."),
    ]
}

/// The fields of repositories of its type.
pub(super) fn type_fields(house: &House, repo: &Repo, form: &Form) -> Vec<Field> {
    let line = |name, label| Field::line(name, label, form.text(name));
    let mut fields = match repo.kind.as_str() {
        "debian" => vec![
            line("default_debian_distribution", "Default distribution"),
            line("default_debian_component", "Default component"),
            line("default_debian_architecture", "Default architecture"),
            line("debian_valid_days", "Days after which apt refuses an index")
                .hint("Empty for no expiry. Indexes are signed again in time."),
            Field::check(
                "debian_contents",
                "List the files in packages, for apt-file",
                form.is_checked("debian_contents"),
            ),
        ],
        "rpm" => vec![line("yum_metadata_depth", "Depth of metadata folders")],
        _ if house.format(&repo.kind).holds_images() => vec![
            line("untagged_days", "Days after which manifests without a tag are removed")
                .hint("Empty to keep them. Manifests of an index, and those that refer to another one, always stay."),
        ],
        _ => Vec::new(),
    };
    if house.has_native(&repo.kind) {
        let label = "Keep uploads by package managers staged until they are published";
        fields.push(Field::check("native_staged", label, form.is_checked("native_staged")));
    }
    fields
}
