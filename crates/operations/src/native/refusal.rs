//! Turns the refusals of formats into errors.

use crate::{
    Error,
    format::{NativeCall, Refusal},
};

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Invalid(reason) => Error::Refused(reason),
            Refusal::Forbidden(reason) => Error::Denied(reason),
            Refusal::NotFound => Error::NotFound { what: "Path", name: String::new() },
            Refusal::Conflict(reason) => Error::Conflict(reason),
        }
    }
}

/// The error for a refused request.
pub fn refused(call: &NativeCall<'_>, refusal: Refusal) -> Error {
    match refusal {
        Refusal::NotFound => missing(call),
        other => other.into(),
    }
}

/// The error for a request of something that does not exist.
pub(super) fn missing(call: &NativeCall<'_>) -> Error {
    let mut path = call.route.path.to_owned();
    for (name, value) in &call.values {
        for place in [format!("{{{name}}}"), format!("{{{name}*}}"), format!("{{@{name}}}")] {
            path = path.replace(&place, value);
        }
    }
    Error::NotFound { what: "Path", name: path }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::{NativeMethod, NativeRequest, NativeRoute, Question};

    static ROUTE: NativeRoute = NativeRoute {
        method: NativeMethod::Get,
        path: "{@package}/-/{file*}",
        request: |_| Ok(NativeRequest::Ask(Question::Repo)),
    };

    #[test]
    fn refusals_keep_their_texts() {
        let values = vec![("package", "@a/b".to_owned()), ("file", "c/d".to_owned())];
        let now = model::timestamp::Timestamp::EPOCH;
        let call = NativeCall {
            route: &ROUTE,
            values,
            query: &[],
            accept: "",
            user: None,
            repo: "repo",
            is_private: false,
            now,
        };
        let text = || "it is so".to_owned();
        assert_eq!(refused(&call, Refusal::Invalid(text())), Error::Refused(text()));
        assert_eq!(refused(&call, Refusal::Forbidden(text())), Error::Denied(text()));
        assert_eq!(refused(&call, Refusal::Conflict(text())), Error::Conflict(text()));
        assert_eq!(Error::Refused(text()).to_string(), text());
        assert_eq!(refused(&call, Refusal::NotFound).to_string(), "Path '@a/b/-/c/d' was not found");
    }
}
