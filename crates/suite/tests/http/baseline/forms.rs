//! Every form of a page, sent by callers with and without the right.

use std::collections::BTreeSet;

use suite::Answer;

use super::{
    assert_recorded,
    record::Record,
    scene::Scene,
    shown::shown,
    step::{Step, steps},
    visits::{Visitors, shape},
};

const CATALOGUE: &str = include_str!("scripts/forms_catalogue.txt");
const ACCOUNTS: &str = include_str!("scripts/forms_accounts.txt");

/// Returns the shapes of the paths that forms are sent to.
pub(super) fn posted_shapes() -> BTreeSet<String> {
    let all = steps(CATALOGUE).chain(steps(ACCOUNTS)).filter(|step| step.method == "POST");
    all.map(|step| shape(step.path)).collect()
}

/// Sends a form with the token of the session.
async fn send(scene: &Scene, visitors: &Visitors, step: &Step, who: &str) -> Answer {
    let page = match step.path {
        path if path.starts_with("/login") => "/login",
        "/-/key" => "/-/key",
        _ => "/",
    };
    let (browser, token) = (visitors.get(who), visitors.form_token(who, page).await);
    let body = scene.fill(step.body).replace("\\n", "\n");
    if step.method == "PUT" {
        let call = browser.call(step.method.clone(), step.path).header("sec-fetch-site", "same-origin");
        return call.header("x-form-token", &token).body(body).await;
    }
    let pairs = body.split('&').filter_map(|pair| pair.split_once('='));
    let (files, mut fields): (Vec<_>, Vec<_>) = pairs.partition(|(name, _)| *name == "file");
    fields.insert(0, ("form_token", &token));
    if !files.is_empty() {
        let files: Vec<_> = files.iter().filter_map(|(_, file)| file.split_once(':')).collect();
        return browser.post_files(step.path, &fields, &files).await;
    }
    let fields: Vec<_> = fields.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    browser.post(step.path, &fields).await
}

async fn assert_answered(name: &str, script: &'static str) {
    let mut scene = Scene::start().await;
    let visitors = Visitors::new(&scene).await;
    let mut record = Record::new();
    for step in steps(script) {
        scene.mask.know(step.body);
        record.head(step.request);
        for who in &step.callers {
            let answer = send(&scene, &visitors, &step, who).await;
            record.add(who, step.request, shown(&answer, &scene.mask));
        }
    }
    assert_recorded(name, record.text());
}

#[tokio::test]
async fn forms_of_the_catalogue_answer_as_before() {
    assert_answered("forms_catalogue", CATALOGUE).await;
}

#[tokio::test]
async fn forms_of_accounts_answer_as_before() {
    assert_answered("forms_accounts", ACCOUNTS).await;
}
