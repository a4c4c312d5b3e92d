//! The flags that say which builds are trusted.

use std::collections::BTreeMap;

use clap::Args;

use crate::error::{Error, Result};

/// The builds to trust.
#[derive(Debug, Args)]
pub struct PublisherFields {
    /// Builds of this repository in GitHub Actions
    #[arg(long, value_name = "OWNER/REPO", group = "service")]
    github: Option<String>,
    /// Builds of this project in GitLab CI
    #[arg(long, value_name = "GROUP/PROJECT", group = "service")]
    gitlab: Option<String>,
    /// Builds of this pipeline in Buildkite
    #[arg(long, value_name = "ORG/PIPELINE", group = "service")]
    buildkite: Option<String>,
    /// The issuer of the identity tokens, if it is not that of the service
    #[arg(long, value_name = "URL", required_unless_present = "service")]
    issuer: Option<String>,
    /// Only the workflow in this file below .github/workflows
    #[arg(long, value_name = "FILE", conflicts_with_all = ["gitlab", "buildkite"])]
    workflow: Option<String>,
    /// Only builds in this environment
    #[arg(long, value_name = "NAME", conflicts_with = "buildkite")]
    environment: Option<String>,
    /// A claim that identity tokens must have, in which * matches any text; repeat it for several claims
    #[arg(long = "claim", value_name = "CLAIM=VALUE", value_parser = parse_claim)]
    claims: Vec<(String, String)>,
}

impl PublisherFields {
    /// The body of the request.
    pub(super) fn new_publisher(&self, name: &str, resource: &str) -> Result<api::NewTrustedPublisher> {
        if self.workflow.is_some() && self.github.is_none() {
            return Err(Error::usage("--workflow is for --github"));
        }
        let mut claims: BTreeMap<String, String> = BTreeMap::new();
        let provider = match (&self.github, &self.gitlab, &self.buildkite) {
            (Some(repository), ..) => {
                claims.insert("repository".into(), repository.clone());
                if let Some(file) = &self.workflow {
                    let file = file.trim_start_matches(".github/workflows/");
                    claims.insert("workflow_ref".into(), format!("{repository}/.github/workflows/{file}@*"));
                }
                "github"
            }
            (_, Some(project), _) => {
                claims.insert("project_path".into(), project.clone());
                "gitlab"
            }
            (.., Some(pipeline)) => {
                let parts = pipeline.split_once('/');
                let (org, pipeline) = parts.ok_or_else(|| Error::usage("--buildkite takes ORG/PIPELINE"))?;
                claims.insert("organization_slug".into(), org.to_owned());
                claims.insert("pipeline_slug".into(), pipeline.to_owned());
                "buildkite"
            }
            _ => "generic",
        };
        claims.extend(self.environment.iter().map(|name| ("environment".to_owned(), name.clone())));
        for (claim, value) in &self.claims {
            if claims.insert(claim.clone(), value.clone()).is_some() {
                return Err(Error::usage(format!("the claim '{claim}' appears twice")));
            }
        }
        let (name, provider, resource) = (name.to_owned(), provider.to_owned(), resource.to_owned());
        Ok(api::NewTrustedPublisher { name, provider, issuer: self.issuer.clone(), claims, resource })
    }
}

fn parse_claim(text: &str) -> std::result::Result<(String, String), String> {
    let (claim, value) = text.split_once('=').ok_or("it must be CLAIM=VALUE")?;
    Ok((claim.to_owned(), value.to_owned()))
}
