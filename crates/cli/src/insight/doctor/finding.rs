//! The result of a check.

use serde::Serialize;

/// The state of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Problem,
    Skipped,
}

/// A check and its result.
#[derive(Debug, Serialize)]
pub(super) struct Finding {
    check: &'static str,
    state: State,
    found: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fix: Option<String>,
}

impl Finding {
    pub(super) fn fine(check: &'static str, found: impl Into<String>) -> Self {
        Self { check, state: State::Ok, found: found.into(), fix: None }
    }

    pub(super) fn skipped(check: &'static str, why: impl Into<String>) -> Self {
        Self { check, state: State::Skipped, found: why.into(), fix: None }
    }

    pub(super) fn problem(check: &'static str, found: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { check, state: State::Problem, found: found.into(), fix: Some(fix.into()) }
    }

    pub(super) fn is_problem(&self) -> bool {
        self.state == State::Problem
    }

    pub(super) fn to_text(&self) -> String {
        let state = match self.state {
            State::Ok => console::style("ok     ").green(),
            State::Problem => console::style("problem").red(),
            State::Skipped => console::style("skipped").yellow(),
        };
        let fix = self.fix.as_ref().map(|fix| format!("\n         {:<9}  fix: {fix}", "")).unwrap_or_default();
        format!("{state}  {:<9}  {}{fix}", self.check, self.found)
    }
}
