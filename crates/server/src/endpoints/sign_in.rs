//! Sessions, second factors, and what site administrators do to users.

use api::*;

use crate::{
    accounts::{
        end_session, end_sessions, list_sessions, list_subjects, rename_subject, reset_password, reset_second_factor,
        show_second_factor, suspend_user, unsuspend_user,
    },
    endpoints::{Endpoints, delete, get, post, put},
};

pub(super) fn sessions(calls: Endpoints) -> Endpoints {
    calls
        .add(get("/users/{user}/sessions", "List a user's sessions").lists::<Session>(200), list_sessions)
        .add(delete("/users/{user}/sessions", "End all sessions of a user").answers::<Message>(200), end_sessions)
        .add(delete("/users/{user}/sessions/{session}", "End a session of a user").answers::<Message>(200), end_session)
}

pub(super) fn administration(calls: Endpoints) -> Endpoints {
    calls
        .add(
            get("/subjects", "List users and organizations")
                .query(&[
                    ("start_name", "The beginning of the name, or a whole e-mail address"),
                    ("start_pos", "The position of the first result, from 0"),
                ])
                .lists::<ListedSubject>(200),
            list_subjects,
        )
        .add(
            post("/subjects/{subject}/rename", "Rename a user or an organization")
                .takes::<NewName>()
                .answers::<Message>(200),
            rename_subject,
        )
        .add(put("/users/{user}/suspension", "Suspend a user").answers::<Message>(200), suspend_user)
        .add(delete("/users/{user}/suspension", "End the suspension of a user").answers::<Message>(200), unsuspend_user)
        .add(post("/users/{user}/password", "Reset the password of a user").answers::<NewPassword>(201), reset_password)
        .add(
            get("/users/{user}/second_factor", "Show the second factor of a user").answers::<SecondFactor>(200),
            show_second_factor,
        )
        .add(
            delete("/users/{user}/second_factor", "Turn off the second factor of a user").answers::<Message>(200),
            reset_second_factor,
        )
}
