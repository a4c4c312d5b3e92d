//! Rules that refuse the downloads of a repository to some of its readers.

use serde_json::json;
use suite::Person;

/// The reason why downloads are refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The network of the tests is blocked.
    Network,
    /// Only one country is allowed, and the location of the tests is unknown.
    Country,
    /// Keys have to agree first.
    Agreement,
}

impl Rule {
    /// Applies the rule to `subject/repo`, which has a package `cat`. The owner has the highest plan.
    pub(super) async fn close(self, owner: &Person, at: &str) {
        let (subject, repo) = at.split_once('/').expect("a repository");
        match self {
            Rule::Network => {
                let body = json!({"black_cidrs": ["127.0.0.0/8"]});
                owner.put(&format!("/repos/{at}/ip_restrictions")).json(body).await.expect(200);
            }
            Rule::Country => {
                let body = json!({"white_list": ["DE"]});
                owner.put(&format!("/repos/{at}/geo_restrictions")).json(body).await.expect(200);
            }
            Rule::Agreement => {
                let product = json!({"name": repo, "packages": [format!("{repo}/cat")]});
                owner.post(&format!("/products/{subject}")).json(product).await.expect(201);
                let eula = json!({"name": "terms", "syntax": "plain_text", "content": "Be kind", "default": true});
                owner.post(&format!("/products/{subject}/{repo}/eulas")).json(eula).await.expect(201);
            }
        }
    }

    /// Returns whether it applies to a column of the tables: rules about origins apply to everyone, agreements to
    /// customers.
    pub(super) fn binds(self, actor: &str) -> bool {
        self != Rule::Agreement || matches!(actor, "key r" | "key package")
    }
}
