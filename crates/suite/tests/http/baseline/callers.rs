//! Those who send the requests of scripts.

use suite::{Person, TestHouse};

/// Everyone, by the name that scripts use.
pub(super) struct Callers(Vec<(&'static str, Person)>);

impl Callers {
    /// Makes the users that are not there yet.
    pub(super) async fn new(house: &TestHouse) -> Self {
        house.user("mary").await;
        let key = house.person("sample@acme", "open-sesame-mountain");
        Self(vec![
            ("anonymous", house.anyone()),
            ("stranger", house.user("stan").await),
            ("owner", house.user("ada").await),
            ("admin", house.admin()),
            // Made by the script of the scene.
            ("key", key),
        ])
    }

    /// The one with this name.
    pub(super) fn get(&self, name: &str) -> &Person {
        let found = self.0.iter().find(|(known, _)| *known == name);
        &found.unwrap_or_else(|| panic!("nobody is called {name}")).1
    }
}
