//! The callers that send the requests of scripts.

use suite::{Person, TestHouse};

/// All callers, by the name that scripts use.
pub(super) struct Callers(Vec<(&'static str, Person)>);

impl Callers {
    /// Creates the users that do not exist yet.
    pub(super) async fn new(house: &TestHouse) -> Self {
        house.user("mary").await;
        let key = house.person("sample@acme", "open-sesame-mountain");
        Self(vec![
            ("anonymous", house.anyone()),
            ("stranger", house.user("stan").await),
            ("owner", house.user("ada").await),
            ("admin", house.admin()),
            // Created by the script of the scene.
            ("key", key),
        ])
    }

    /// Returns the caller with this name.
    pub(super) fn get(&self, name: &str) -> &Person {
        let found = self.0.iter().find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("nobody is called {name}")).1
    }
}
