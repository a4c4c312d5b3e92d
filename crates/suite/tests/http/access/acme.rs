//! Organizations with people in every role, for tests of rights.

use serde_json::json;
use suite::{Person, TestHouse};

/// A house with people in all roles.
pub(crate) struct Cast {
    pub(crate) house: TestHouse,
    pub(crate) owner: Person,
    pub(crate) admin: Person,
    pub(crate) member: Person,
    pub(crate) stranger: Person,
    pub(crate) site_admin: Person,
}

impl Cast {
    /// Starts a house with `olga`, `alma`, `mike`, `stan` and the site's `admin`, and with others to act on: the owner
    /// `otto`, the administrator `anna`, the member `mary`, and `nora`, who has no role.
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// Starts one in a house with some settings changed.
    pub(crate) async fn start_with(changes: &[(&str, &str)]) -> Self {
        let house = TestHouse::start_with(changes).await;
        for name in ["otto", "anna", "mary", "nora"] {
            house.user(name).await;
        }
        Self {
            owner: house.user("olga").await,
            admin: house.user("alma").await,
            member: house.user("mike").await,
            stranger: house.user("stan").await,
            site_admin: house.admin(),
            house,
        }
    }

    /// Returns everyone who acts, with the name of the column.
    pub(crate) fn actors(&self) -> [(&'static str, &Person); 5] {
        [
            ("owner", &self.owner),
            ("admin", &self.admin),
            ("member", &self.member),
            ("stranger", &self.stranger),
            ("site admin", &self.site_admin),
        ]
    }

    /// Creates an organization with all of them in their roles.
    pub(crate) async fn org(&self, org: &str) {
        self.owner.post("/orgs").json(json!({ "name": org })).await.expect(201);
        let others = [("otto", "owner"), ("alma", "admin"), ("anna", "admin"), ("mike", "member"), ("mary", "member")];
        for (user, role) in others {
            set_member(&self.owner, org, user, role).await;
        }
    }
}

/// Adds a member, or changes the role of one.
pub(crate) async fn set_member(by: &Person, org: &str, user: &str, role: &str) {
    by.put(&format!("/orgs/{org}/members/{user}")).json(json!({ "type": role })).await.refuses(200, "success");
}

/// Returns the role of a user in an organization; `-` for those without one.
pub(crate) async fn role_of(house: &TestHouse, org: &str, user: &str) -> String {
    let shown = house.admin().get(&format!("/orgs/{org}")).await.expect(200).json();
    let members = shown["members"].as_array().expect("a site administrator sees the members").clone();
    let found = members.into_iter().find(|member| member["name"] == user);
    found.map_or("-".to_owned(), |member| member["type"].as_str().expect("a member has a type").to_owned())
}

/// Returns the names of an organization's owners.
pub(crate) async fn owners_of(house: &TestHouse, org: &str) -> Vec<String> {
    let shown = house.admin().get(&format!("/orgs/{org}")).await.expect(200).json();
    let members = shown["members"].as_array().expect("a site administrator sees the members").clone();
    let owners = members.into_iter().filter(|member| member["type"] == "owner");
    owners.map(|member| member["name"].as_str().expect("a member has a name").to_owned()).collect()
}
