//! Forms that create a version, and change one.

use axum::{extract::State, response::Response};
use database::catalogue::versions::VersionProfile;
use model::{
    access::Right,
    address::{PackageAddress, VersionAddress},
    names::VersionName,
    timestamp::Timestamp,
};
use operations::catalogue::{
    packages,
    versions::{self, VersionChange},
};

use crate::{
    App,
    error::{Failure, Result},
    pages::{
        address, breadcrumbs,
        fields::Field,
        flash,
        form_page::FormPage,
        posted::Submitted,
        sent::{Sent, checked},
        visitor::Visitor,
    },
    path_names::PathNames,
};

/// The form for a new version of a package.
pub(super) async fn show_new(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    Ok(new_form(&at, &Sent::default()).show(&app, &visitor))
}

pub(super) async fn create(Submitted { app, visitor, path, form: sent }: Submitted<Sent>) -> Result<Response> {
    let at = path.package_address()?;
    packages::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    match store(&app, &visitor, &at, &sent).await {
        Ok(at) => Ok(flash::go(&app, &address::version(&at), "The version has been created. Upload its files now.")),
        Err(failure) => new_form(&at, &sent).refused(&app, &visitor, failure),
    }
}

async fn store(app: &App, visitor: &Visitor, package: &PackageAddress, sent: &Sent) -> Result<VersionAddress> {
    let version = VersionName::parse_new(sent.line("name"));
    let version = version.map_err(|error| Failure::bad_request(format!("name: {error}")))?;
    let at = VersionAddress { package: package.clone(), version };
    versions::create(app.house(), &visitor.caller, &at, change(sent)?).await?;
    Ok(at)
}

/// The form for what may change.
pub(super) async fn show_edit(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let at = path.version_address()?;
    let version = versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?.version;
    Ok(edit_form(&at, &stored(&version.profile)).show(&app, &visitor))
}

pub(super) async fn edit(Submitted { app, visitor, path, form: sent }: Submitted<Sent>) -> Result<Response> {
    let at = path.version_address()?;
    versions::show_for(app.house(), &visitor.caller, &at, Right::Publish).await?;
    let edited = async { Ok::<_, Failure>(versions::edit(app.house(), &visitor.caller, &at, change(&sent)?).await?) };
    match edited.await {
        Ok(()) => Ok(flash::go(&app, &address::version(&at), "The version has been changed.")),
        Err(failure) => edit_form(&at, &sent).refused(&app, &visitor, failure),
    }
}

fn change(sent: &Sent) -> Result<VersionChange> {
    let moment =
        |text: String| Timestamp::parse(&text).map_err(|error| Failure::bad_request(format!("released: {error}")));
    Ok(VersionChange {
        description: Some(sent.text("desc").to_owned()),
        labels: Some(sent.list("labels")),
        vcs_tag: Some(sent.optional("vcs_tag")),
        github_use_tag_release_notes: Some(sent.is_checked("github_use_tag_release_notes")),
        // The form has no place for it.
        github_release_notes_file: None,
        released: Some(sent.optional("released").map(moment).transpose()?),
    })
}

fn stored(profile: &VersionProfile) -> Sent {
    Sent::of([
        ("desc", profile.description.clone()),
        ("labels", profile.labels.join("\n")),
        ("vcs_tag", profile.vcs_tag.clone().unwrap_or_default()),
        ("github_use_tag_release_notes", checked(profile.github_use_tag_release_notes)),
        ("released", profile.released.map(|moment| moment.to_string()).unwrap_or_default()),
    ])
}

fn new_form(at: &PackageAddress, sent: &Sent) -> FormPage {
    let name = Field::line("name", "Name", sent.text("name")).hint("Such as 1.0.0. It stays for good.").required();
    FormPage {
        breadcrumbs: breadcrumbs::of_package(at),
        title: format!("New version of {}", at.package),
        action: format!("/-/new/version{}", address::package(at)),
        button: "Create the version",
        fields: [vec![name], profile_fields(sent)].concat(),
        ..FormPage::default()
    }
}

fn edit_form(at: &VersionAddress, sent: &Sent) -> FormPage {
    FormPage {
        breadcrumbs: breadcrumbs::of_version(at),
        title: format!("Edit {} {}", at.package.package, at.version),
        action: format!("/-/edit/version{}", address::version(at)),
        button: "Save",
        fields: profile_fields(sent),
        ..FormPage::default()
    }
}

fn profile_fields(sent: &Sent) -> Vec<Field> {
    vec![
        Field::text("desc", "What is new", sent.text("desc")),
        Field::list("labels", "Labels", sent.text("labels")),
        Field::line("released", "Released", sent.text("released"))
            .hint("As 2026-01-31 or 2026-01-31T12:00:00Z. The first publish sets it when it is empty."),
        Field::line("vcs_tag", "Tag in the source", sent.text("vcs_tag")),
        Field::check(
            "github_use_tag_release_notes",
            "Release notes come from that tag",
            sent.is_checked("github_use_tag_release_notes"),
        ),
    ]
}
