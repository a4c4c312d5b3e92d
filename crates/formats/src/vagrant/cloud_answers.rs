//! The answers to calls of `vagrant cloud`.

use operations::format::{DraftView, NativeAnswer, NativeCall, NativeChange, Rows};
use serde_json::{Value, json};

use super::BoxPath;
use crate::{
    base::json_text,
    documents::{clean, seconds},
};

/// The maximum length of a description.
const DESCRIPTION_CHARACTERS: usize = 10_000;

/// The answer to a question.
pub(super) fn answer(call: &NativeCall<'_>, rows: &Rows) -> Option<NativeAnswer> {
    let document = match rows {
        Rows::Packages { packages, .. } => {
            let known = packages.iter().map(|package| {
                let description = package.description.as_deref().unwrap_or_default();
                let mut entry = box_entry(call, &package.name, description);
                entry["created_at"] = json!(seconds(package.updated));
                entry["updated_at"] = json!(seconds(package.updated));
                entry
            });
            json!({ "username": call.repo, "boxes": known.collect::<Vec<Value>>() })
        }
        Rows::Drafts(drafts) => {
            let versions: Vec<Value> = drafts.versions.iter().map(|draft| version_entry(call, draft)).collect();
            let number = call.value("version");
            if number.is_empty() {
                let mut entry = box_entry(call, drafts.name.as_str(), &drafts.description);
                entry["created_at"] = json!(seconds(drafts.created));
                entry["updated_at"] = json!(seconds(drafts.updated));
                entry["versions"] = Value::Array(versions);
                entry
            } else {
                versions.into_iter().find(|version| version["version"] == number)?
            }
        }
        _ => return None,
    };
    Some(json_answer(&document))
}

fn box_entry(call: &NativeCall<'_>, name: &str, description: &str) -> Value {
    let description = clean(description, DESCRIPTION_CHARACTERS);
    json!({
        "tag": format!("{}/{name}", call.repo), "username": call.repo, "name": name,
        "short_description": description.lines().next().unwrap_or_default(),
        "description_markdown": description, "description_html": null, "private": call.is_private,
    })
}

fn version_entry(call: &NativeCall<'_>, draft: &DraftView) -> Value {
    let provider = |path: &String| match BoxPath::parse(path).ok()? {
        BoxPath::File(_, _, provider, architecture) => Some(json!({
            "name": provider.as_str(), "architecture": architecture.as_str(), "hosted": true,
            "created_at": seconds(call.now), "updated_at": seconds(call.now),
        })),
        _ => None,
    };
    json!({
        "version": draft.name, "number": draft.name,
        "status": if draft.is_published { "active" } else { "unreleased" },
        "created_at": seconds(call.now), "updated_at": seconds(call.now),
        "description_markdown": null, "description_html": null,
        "providers": draft.paths.iter().filter_map(provider).collect::<Vec<Value>>(),
    })
}

/// The answer to a caller who has signed in.
pub(super) fn signed_in(name: &str) -> NativeAnswer {
    json_answer(&json!({ "user": { "username": name } }))
}

/// The answer to a caller who uploads a box. The client sends no header with it, so the URL has a token.
pub(super) fn upload_to(url: &str) -> NativeAnswer {
    json_answer(&json!({ "upload_path": url }))
}

/// The answer after a change that a body asks for.
pub(super) fn changed(call: &NativeCall<'_>, changes: &[NativeChange]) -> NativeAnswer {
    let [NativeChange::Describe { package, version, description }] = changes else { return done(call) };
    let mut entry = match version {
        Some(version) => json!({ "version": version.as_str(), "status": "unreleased" }),
        None => box_entry(call, package.as_str(), description.as_deref().unwrap_or_default()),
    };
    if call.route.path.contains("/provider") {
        entry = json!({ "hosted": true });
    }
    entry["created_at"] = json!(seconds(call.now));
    entry["updated_at"] = json!(seconds(call.now));
    json_answer(&entry)
}

/// The answer after a change without a body, or an upload.
pub(super) fn done(call: &NativeCall<'_>) -> NativeAnswer {
    let status = match call.route.path.rsplit('/').next() {
        Some("release") => "active",
        Some("revoke") => "revoked",
        _ => return json_answer(&json!({})),
    };
    json_answer(&json!({ "version": call.value("version"), "status": status }))
}

fn json_answer(document: &Value) -> NativeAnswer {
    NativeAnswer { status: 200, media_type: "application/json", content: json_text(document) }
}
