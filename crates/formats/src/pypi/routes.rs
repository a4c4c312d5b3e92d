//! The requests of PyPI's clients.

use model::file_path::FilePath;
use operations::format::{Body, NativeCall, NativeMethod, NativeRequest, NativeRoute, Question, Refusal};

use super::{accept::PageForm, layout, name::ProjectName};

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "simple/", request: project_list },
    NativeRoute { method: NativeMethod::Get, path: "simple", request: to_project_list },
    NativeRoute { method: NativeMethod::Get, path: "simple/{project}/", request: project_page },
    NativeRoute { method: NativeMethod::Get, path: "simple/{project}", request: to_project_page },
    NativeRoute { method: NativeMethod::Post, path: "", request: upload },
    NativeRoute { method: NativeMethod::Post, path: "legacy/", request: upload },
    NativeRoute { method: NativeMethod::Post, path: "legacy", request: upload },
];

fn project_list(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Ask(Question::Packages))
}

fn to_project_list(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Redirect("simple/".to_owned()))
}

fn project_page(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let project = ProjectName::parse(call.value("project")).map_err(|_| Refusal::NotFound)?;
    if project.normalized() != call.value("project") {
        return to_project_page(call);
    }
    let form = PageForm::choose(call.accept);
    let [json, html] = layout::pages_of(&project);
    let path = if form == PageForm::Json { json } else { html };
    let path = FilePath::parse(&path).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Read { path, media_type: Some(form.content_type()), varies: true })
}

fn to_project_page(call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    let project = ProjectName::parse(call.value("project")).map_err(|_| Refusal::NotFound)?;
    Ok(NativeRequest::Redirect(format!("simple/{project}/")))
}

fn upload(_call: &NativeCall<'_>) -> Result<NativeRequest, Refusal> {
    Ok(NativeRequest::Take(Body::Multipart))
}
