//! Runs a script, and records the responses to everyone.

use std::collections::BTreeSet;

use suite::Answer;

use super::{
    pattern::endpoint,
    record::Record,
    scene::Scene,
    shown::shown,
    step::{Line, Step, lines},
};

/// The number of events for a file that is uploaded and published at once.
const EVENTS: usize = 2;

/// Runs a script. Every endpoint of the sections that it names must answer some caller as its description says.
pub(super) async fn record(scene: &mut Scene, script: &'static str) -> String {
    let mut record = Record::new();
    let (mut asked, mut done) = (BTreeSet::new(), BTreeSet::new());
    for line in lines(script) {
        let step = match line {
            Line::Request(step) => step,
            Line::Chore(chore) => {
                scene.do_chore(chore).await;
                continue;
            }
        };
        let answers = answers(scene, &step).await;
        let endpoint = endpoint(&step.method, step.path);
        if let Some(endpoint) = endpoint.filter(|endpoint| script.contains(&format!("# {}\n", endpoint.section))) {
            let name = format!("{} {}", endpoint.method, endpoint.path);
            done.extend(answers.iter().any(|(_, answer)| answer.status == endpoint.status).then(|| name.clone()));
            asked.insert(name);
        }
        record.head(step.request);
        for (callers, text) in merged(scene, &answers) {
            record.add(&callers, step.request, text);
        }
    }
    let failed: Vec<_> = asked.difference(&done).collect();
    assert!(failed.is_empty(), "{}\n\nnobody succeeds with {failed:#?}", record.text());
    record.text().to_owned()
}

async fn answers(scene: &mut Scene, step: &Step) -> Vec<(&'static str, Answer)> {
    let mut answers = Vec::new();
    for caller in &step.callers {
        let is_stream = *caller == "owner" && step.path == "/stream/acme";
        let answer = if is_stream { follow(scene, step).await } else { scene.ask(step, caller).await };
        answers.push((*caller, answer));
    }
    answers
}

/// Merges callers with the same response into one line.
fn merged(scene: &Scene, answers: &[(&'static str, Answer)]) -> Vec<(String, String)> {
    let mut merged: Vec<(String, String)> = Vec::new();
    for (caller, answer) in answers {
        let text = shown(answer, &scene.mask);
        match merged.iter_mut().find(|(_, other)| *other == text) {
            Some((callers, _)) => *callers += &format!(", {caller}"),
            None => merged.push(((*caller).to_owned(), text)),
        }
    }
    merged
}

/// Returns a response that does not end: its head, and the events of a file that is published meanwhile.
async fn follow(scene: &Scene, step: &Step) -> Answer {
    let owner = scene.callers.get("owner");
    let mut response = step.by(owner, str::to_owned).open().await;
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    owner.put("/content/acme/tools/cat/3.0/cat-3.0.tar?publish=1").body("meow").await.expect(201);
    let mut body = Vec::new();
    // Keep-alive lines are empty.
    while body.split(|byte| *byte == b'\n').filter(|line| line.len() > 1).count() < EVENTS || !body.ends_with(b"\n") {
        body.extend_from_slice(&response.chunk().await.expect("it goes on").expect("it goes on"));
    }
    Answer { status, headers, body }
}
