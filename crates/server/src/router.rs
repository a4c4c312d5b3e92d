//! Every call, in the order of the contract.

use axum::{Router, http::StatusCode, routing};

use crate::{
    App, accounts, audit, docs,
    endpoints::{Endpoint, Endpoints, delete, get, patch, post, put},
    error::Failure,
    health,
};

/// The calls of the API, as data.
pub fn endpoints() -> Vec<Endpoint> {
    api().list
}

fn api() -> Endpoints {
    use accounts::*;
    use api::*;
    Endpoints::new()
        .section("Users")
        .add(post("/users", "Create a user").takes::<NewUser>().answers::<CreatedUser>(201), create_user)
        .add(get("/users/{user}", "Show a user").answers::<User>(200), show_user)
        .add(patch("/users/{user}", "Change a user").takes::<UserChange>().answers::<Message>(200), edit_user)
        .add(delete("/users/{user}", "Delete a user").answers::<Message>(200), delete_user)
        .add(post("/users/{user}/api_key", "Replace a user's API key").answers::<ApiKey>(201), rotate_key)
        .section("Organizations")
        .add(post("/orgs", "Create an organization").takes::<NewOrg>().answers::<Org>(201), create_org)
        .add(get("/orgs/{org}", "Show an organization").answers::<Org>(200), show_org)
        .add(patch("/orgs/{org}", "Change an organization").takes::<OrgChange>().answers::<Message>(200), edit_org)
        .add(delete("/orgs/{org}", "Delete an organization").answers::<Message>(200), delete_org)
        .add(
            put("/orgs/{org}/members/{user}", "Add or change a member").takes::<NewMember>().answers::<Message>(200),
            set_member,
        )
        .add(delete("/orgs/{org}/members/{user}", "Remove a member").answers::<Message>(200), remove_member)
        .section("Administration")
        .add(
            put("/subjects/{subject}/plan", "Set the plan of a subject").takes::<NewPlan>().answers::<Message>(200),
            set_plan,
        )
        .add(
            get("/audit", "List what was done, newest first")
                .query(&[("start_pos", "The position of the first result, from 0")])
                .lists::<AuditEntry>(200),
            audit::list_audit,
        )
}

/// The router behind the edge. It sees canonical paths only.
pub(crate) fn router(app: App) -> Router {
    api()
        .router
        .route("/api/openapi.json", routing::get(docs::openapi))
        .route("/api/docs", routing::get(docs::page))
        .route("/", routing::get(docs::home))
        .route("/assets/page.css", routing::get(docs::style))
        .route("/livez", routing::get(health::livez))
        .route("/readyz", routing::get(health::readyz))
        .route("/metrics", routing::get(health::metrics))
        .method_not_allowed_fallback(async || {
            Failure::new(StatusCode::METHOD_NOT_ALLOWED, "This address does not take this method")
        })
        .fallback(async || Failure::new(StatusCode::NOT_FOUND, "There is nothing at this address"))
        .with_state(app)
}
