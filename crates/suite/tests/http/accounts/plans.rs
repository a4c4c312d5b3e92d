//! The plans of subjects.

use database::accounts::subjects;
use model::names::SubjectName;
use serde_json::json;
use suite::TestHouse;

/// Returns the plan of a subject from the database, because no call returns it.
pub(crate) async fn plan_of(house: &TestHouse, name: &str) -> &'static str {
    let name = SubjectName::parse(name).expect("a good name");
    let found = subjects::find(&house.app().house().db, &name).await.expect("the database answers");
    found.expect("the subject exists").plan.as_str()
}

#[tokio::test]
async fn site_administrators_set_the_plan_of_users_and_organizations() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    for plan in ["free", "enterprise", "premium"] {
        house.admin().put("/subjects/ada/plan").json(json!({ "plan": plan })).await.refuses(200, "success");
        house.admin().put("/subjects/acme/plan").json(json!({ "plan": plan })).await.refuses(200, "success");
        assert_eq!((plan_of(&house, "ada").await, plan_of(&house, "acme").await), (plan, plan));
    }
}

#[tokio::test]
async fn nobody_else_sets_a_plan() {
    let house = TestHouse::start().await;
    let ada = house.user("ada").await;
    ada.post("/orgs").json(json!({"name": "acme"})).await.expect(201);
    let enterprise = json!({"plan": "enterprise"});
    ada.put("/subjects/ada/plan").json(enterprise.clone()).await.refuses(403, "You may not do this");
    ada.put("/subjects/acme/plan").json(enterprise.clone()).await.refuses(403, "You may not do this");
    ada.put("/subjects/nobody/plan").json(enterprise.clone()).await.refuses(403, "You may not do this");
    house.anyone().put("/subjects/ada/plan").json(enterprise).await.expect(401);
    assert_eq!((plan_of(&house, "ada").await, plan_of(&house, "acme").await), ("premium", "premium"));
}

#[tokio::test]
async fn unknown_plans_and_subjects_are_named() {
    let house = TestHouse::start().await;
    house.user("ada").await;
    let set = |subject: &str, body: &'static str| house.admin().put(&format!("/subjects/{subject}/plan")).body(body);
    let refusal = "plan: 'gold' is not one of free, premium, enterprise";
    set("ada", r#"{"plan": "gold"}"#).await.refuses(400, refusal);
    set("ada", r#"{"plan": null}"#).await.expect(400);
    set("ada", "{}").await.expect(400);
    set("ada", "").await.refuses(400, "A JSON body is required");
    set("nobody", r#"{"plan": "free"}"#).await.refuses(404, "Subject 'nobody' was not found");
    set("ADA", r#"{"plan": "free"}"#).await.refuses(404, "Subject 'ADA' was not found");
    assert_eq!(plan_of(&house, "ada").await, "premium");
}

#[tokio::test]
async fn a_body_that_is_no_object_is_refused() {
    let house = TestHouse::start().await;
    house.user("ada").await;
    house.admin().put("/subjects/ada/plan").body(r#"["free"]"#).await.expect(400);
    assert_eq!(plan_of(&house, "ada").await, "premium");
}
