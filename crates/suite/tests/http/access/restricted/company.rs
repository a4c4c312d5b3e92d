//! An organization whose repositories have rules.

use serde_json::json;
use suite::Person;

use super::rule::Rule;
use crate::{
    access::{
        acme::Cast,
        guests::{give, guests},
    },
    catalogue::new_package,
    content::upload_published,
    visibility::FILE,
};

/// An organization with the highest plan, and callers in all relations to it.
pub(super) struct Company {
    cast: Cast,
    pub(super) guests: Vec<(&'static str, Person)>,
    rules: &'static [Rule],
    is_private: bool,
}

impl Company {
    /// Starts it, for repositories with these rules.
    pub(super) async fn start(rules: &'static [Rule], is_private: bool) -> Self {
        let cast = Cast::start().await;
        cast.org("acme").await;
        cast.site_admin.put("/subjects/acme/plan").json(json!({"plan": "enterprise"})).await.expect(200);
        let mut guests = guests(&cast, "acme").await;
        guests.insert(0, ("anonymous", cast.house.anyone()));
        Self { cast, guests, rules, is_private }
    }

    /// Returns everyone, with the name of the column.
    pub(super) fn actors(&self) -> Vec<(&'static str, &Person)> {
        let guests = self.guests.iter().map(|(name, guest)| (*name, guest));
        self.cast.actors().into_iter().chain(guests).collect()
    }

    /// Creates a repository with a file, in which these callers have their grants.
    pub(super) async fn repo(&self, name: String, actors: &[&str]) -> String {
        let (owner, at) = (&self.cast.owner, format!("acme/{name}"));
        owner.post(&format!("/repos/{at}")).json(json!({ "private": self.is_private })).await.expect(201);
        new_package(owner, &at, "cat").await;
        upload_published(owner, &format!("{at}/cat/1.0/{FILE}"), "meow").await;
        for actor in actors {
            give(&self.cast, actor, &at).await;
        }
        at
    }

    /// Creates two repositories that differ only in the rule.
    pub(super) async fn pair(&self, actor: &str, number: usize) -> [String; 2] {
        let name = actor.replace(' ', "-");
        let plain = self.repo(format!("plain-{name}-{number}"), &[actor]).await;
        let closed = self.repo(format!("close-{name}-{number}"), &[actor]).await;
        self.close(&closed).await;
        [plain, closed]
    }

    /// Returns whether one of the rules applies to a column of the tables.
    pub(super) fn binds(&self, actor: &str) -> bool {
        self.rules.iter().any(|rule| rule.binds(actor))
    }

    /// Applies all rules to a repository.
    pub(super) async fn close(&self, repo: &str) {
        for rule in self.rules {
            rule.close(&self.cast.owner, repo).await;
        }
    }
}
