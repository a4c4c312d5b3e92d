//! Rules that close the downloads of a repository to some of those who may read it.

use serde_json::json;
use suite::Person;

/// What closes downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Rule {
    /// The network that the tests are in may not.
    Network,
    /// Only one country may, and where the tests are is not known.
    Country,
    /// Keys have to agree to something first.
    Agreement,
}

impl Rule {
    /// Closes the downloads of `subject/repo`, which has a package `cat`. The owner has booked everything.
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

    /// Whether it stands in the way of a column of the tables: where somebody is binds all, agreements bind customers.
    pub(super) fn binds(self, actor: &str) -> bool {
        self != Rule::Agreement || matches!(actor, "key r" | "key package")
    }
}
