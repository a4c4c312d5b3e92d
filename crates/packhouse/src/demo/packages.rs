//! The packages of the catalogue, and what their people say about them.

use serde_json::{Value, json};

/// A package.
pub(super) struct Package {
    pub(super) repo: &'static str,
    pub(super) name: &'static str,
    desc: &'static str,
    license: &'static str,
    labels: &'static [&'static str],
    /// The text of its readme; empty for one of a line.
    readme: &'static str,
    /// Who rates it, and how.
    pub(super) ratings: &'static [(&'static str, i64)],
}

/// The packages.
pub(super) const PACKAGES: [Package; 8] = [
    Package {
        repo: "tools",
        name: "relay",
        desc: "Forwards messages between services",
        license: "Apache-2.0",
        labels: &["messaging", "queue", "server"],
        readme: include_str!("texts/relay.md"),
        ratings: &[("ada", 5), ("mira", 4)],
    },
    Package {
        repo: "tools",
        name: "tarmac",
        desc: "Fast, parallel archiver with deterministic output",
        license: "MIT",
        labels: &["archive", "tar", "zstd"],
        readme: include_str!("texts/tarmac.md"),
        ratings: &[("grace", 4), ("mira", 5)],
    },
    Package {
        repo: "python",
        name: "acme-sdk",
        desc: "Talks to relay from Python",
        license: "MIT",
        labels: &["messaging", "sdk"],
        readme: include_str!("texts/acme-sdk.md"),
        ratings: &[("mira", 4)],
    },
    Package {
        repo: "npm",
        name: "acme-widgets",
        desc: "Accessible widgets for the web",
        license: "MIT",
        labels: &["accessibility", "web"],
        readme: include_str!("texts/acme-widgets.md"),
        ratings: &[("grace", 5)],
    },
    plain("npm", "acme-icons", "Icons of Acme as SVG", "MIT", &["icons", "web"]),
    plain("charts", "relay", "Runs relay on Kubernetes", "Apache-2.0", &["messaging", "kubernetes"]),
    plain("apt", "relay", "Forwards messages between services", "Apache-2.0", &["messaging", "server"]),
    plain("enterprise", "relay-pro", "Relay with clustering and audit reports", "Apache-2.0", &["messaging"]),
];

const fn plain(
    repo: &'static str,
    name: &'static str,
    desc: &'static str,
    license: &'static str,
    labels: &'static [&'static str],
) -> Package {
    Package { repo, name, desc, license, labels, readme: "", ratings: &[] }
}

impl Package {
    /// The body of the call that creates it.
    pub(super) fn body(&self) -> Value {
        let site = format!("https://{}.example.com", self.name);
        json!({"name": self.name, "desc": self.desc, "licenses": [self.license], "labels": self.labels,
            "website_url": site, "issue_tracker_url": format!("{site}/issues"), "vcs_url": format!("{site}/git"),
            "public_download_numbers": true})
    }

    /// Its readme in Markdown.
    pub(super) fn readme(&self) -> String {
        if self.readme.is_empty() { format!("# {}\n\n{}.\n", self.name, self.desc) } else { self.readme.to_owned() }
    }
}
