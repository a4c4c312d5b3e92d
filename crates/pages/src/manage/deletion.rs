//! The form that deletes an object with everything in it. The visitor has to type its name.

use axum::{extract::State, response::Response};
use model::{
    access::Right,
    address::{PackageAddress, RepoAddress, VersionAddress},
    file_path::FilePath,
};
use operations::{
    catalogue::{packages, repos, versions},
    content, run_to_end,
};
use web::{App, error::Result, path_names::PathNames};

use super::{file, settings_nav};
use crate::{
    address,
    band::{Band, Tab},
    breadcrumbs,
    form::{Field, Form, FormPage, Submitted},
    notice::{self, Notice},
    visitor::Visitor,
};

/// The object that a form deletes.
#[derive(Clone)]
enum DeletionTarget {
    Repo(RepoAddress),
    Package(PackageAddress),
    Version(VersionAddress),
    File(RepoAddress, FilePath, VersionAddress),
}

pub(super) async fn show(State(app): State<App>, visitor: Visitor, path: PathNames) -> Result<Response> {
    let (target, frame) = DeletionTarget::find(&app, &visitor, &path).await?;
    Ok(target.form_page(frame, &Form::default()).show(&app, &visitor))
}

pub(super) async fn delete(Submitted { app, visitor, path, form }: Submitted) -> Result<Response> {
    let (target, frame) = DeletionTarget::find(&app, &visitor, &path).await?;
    match target.delete(&app, &visitor, &form).await {
        Ok(()) => {
            let text = format!("The {} {} has been deleted.", target.noun(), target.name());
            Ok(notice::redirect(&app, &visitor, &target.parent(), Notice::success(text)))
        }
        Err(failure) => target.form_page(frame, &form).refused(&app, &visitor, failure),
    }
}

/// What is around the form: the head of the object, and the other forms about it.
type Frame = (Band, Vec<Tab>);

impl DeletionTarget {
    /// The object that the route names, for those who may delete it.
    async fn find(app: &App, visitor: &Visitor, path: &PathNames) -> Result<(Self, Frame)> {
        let (house, caller) = (app.house(), &visitor.caller);
        if !path.rest().is_empty() {
            let (at, file, version) = file::find(app, visitor, path).await?;
            return Ok((Self::File(at, file, version), Frame::default()));
        }
        if path.has("version") {
            let at = path.version_address()?;
            let access = versions::show_for(house, caller, &at, Right::Publish).await?.package;
            let frame = (Band::of_version(&at, &access).at("Versions"), settings_nav::of_version(&at, "Delete"));
            return Ok((Self::Version(at), frame));
        }
        if path.has("package") {
            let at = path.package_address()?;
            let access = packages::show_for(house, caller, &at, Right::Publish).await?;
            let frame = (Band::of_package(&at, &access).at("Settings"), settings_nav::of_package(&at, "Delete"));
            return Ok((Self::Package(at), frame));
        }
        let at = path.repo_address()?;
        let access = repos::show_for(house, caller, &at, Right::Own).await?;
        let frame = (Band::of_repo(&at, &access).at("Settings"), settings_nav::of_repo(&at, "Delete"));
        Ok((Self::Repo(at), frame))
    }

    async fn delete(&self, app: &App, visitor: &Visitor, form: &Form) -> Result<()> {
        form.check_confirmed(self.name())?;
        let (app, caller, target) = (app.clone(), visitor.caller.clone(), self.clone());
        let deletion = async move {
            let (house, caller) = (app.house(), &caller);
            match &target {
                Self::Repo(at) => repos::delete(house, caller, at).await,
                Self::Package(at) => content::delete_package(house, caller, at).await,
                Self::Version(at) => content::delete_version(house, caller, at).await,
                Self::File(at, file, _) => content::delete(house, caller, at, file).await,
            }
        };
        Ok(run_to_end(deletion).await?)
    }

    fn noun(&self) -> &'static str {
        match self {
            Self::Repo(_) => "repository",
            Self::Package(_) => "package",
            Self::Version(_) => "version",
            Self::File(..) => "file",
        }
    }

    fn lead(&self) -> String {
        match self {
            Self::File(..) => "This deletes the file. You cannot undo it.".to_owned(),
            _ => format!("This deletes the {} and everything in it. You cannot undo it.", self.noun()),
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Repo(at) => at.repo.as_str(),
            Self::Package(at) => at.package.as_str(),
            Self::Version(at) => at.version.as_str(),
            Self::File(_, file, _) => file.file_name(),
        }
    }

    /// The page above, which remains after the deletion.
    fn parent(&self) -> String {
        match self {
            Self::Repo(at) => address::path([at.owner.as_str()]),
            Self::Package(at) => address::repo(&at.repo),
            Self::Version(at) => address::package(&at.package),
            Self::File(_, _, version) => address::version(version),
        }
    }

    /// The page of the object.
    fn page(&self) -> String {
        match self {
            Self::Repo(at) => address::repo(at),
            Self::Package(at) => address::package(at),
            Self::Version(at) => address::version(at),
            Self::File(_, _, version) => address::version(version),
        }
    }

    fn action(&self) -> String {
        match self {
            Self::File(at, file, _) => format!("/-/delete/file{}", address::file(at, file.as_str())),
            _ => {
                format!("/-/delete/{}{}", if matches!(self, Self::Repo(_)) { "repo" } else { self.noun() }, self.page())
            }
        }
    }

    fn form_page(&self, (band, nav): Frame, form: &Form) -> FormPage {
        let breadcrumbs = match self {
            Self::File(_, _, version) => breadcrumbs::of_version(version),
            _ => Vec::new(),
        };
        FormPage {
            band,
            nav,
            breadcrumbs,
            back: self.page(),
            action: self.action(),
            title: format!("Delete {}", self.name()),
            lead: self.lead(),
            button: "Delete",
            is_danger: true,
            fields: vec![
                Field::line("confirm", "Name", form.text("confirm"))
                    .hint(format!("Type {} to confirm.", self.name()))
                    .required(),
            ],
            ..FormPage::default()
        }
    }
}
