//! The services that run builds.

use super::ClaimPattern;

/// A kind of service that runs builds and gives them identity tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Provider {
    /// GitHub Actions.
    GitHub,
    /// GitLab CI.
    GitLab,
    /// Buildkite.
    Buildkite,
    /// Any other OpenID Connect issuer.
    Generic,
}

impl Provider {
    /// All providers.
    pub const ALL: [Self; 4] = [Self::GitHub, Self::GitLab, Self::Buildkite, Self::Generic];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GitHub => "github",
            Self::GitLab => "gitlab",
            Self::Buildkite => "buildkite",
            Self::Generic => "generic",
        }
    }

    /// Returns the provider with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|provider| provider.as_str() == text)
    }

    /// The issuer of its tokens, unless a publisher names another one.
    pub fn issuer(self) -> Option<&'static str> {
        match self {
            Self::GitHub => Some("https://token.actions.githubusercontent.com"),
            Self::GitLab => Some("https://gitlab.com"),
            Self::Buildkite => Some("https://agent.buildkite.com"),
            Self::Generic => None,
        }
    }

    /// The claims that say whose build it is: each is required, with one fixed value.
    pub fn required(self) -> &'static [&'static str] {
        match self {
            Self::GitHub => &["repository"],
            Self::GitLab => &["project_path"],
            Self::Buildkite => &["organization_slug", "pipeline_slug"],
            Self::Generic => &["sub"],
        }
    }

    /// The claims that are shown with what a build has published.
    pub fn shown(self) -> &'static [&'static str] {
        match self {
            Self::GitHub => {
                &["repository", "ref", "sha", "workflow_ref", "environment", "run_id", "run_attempt", "actor"]
            }
            Self::GitLab => &[
                "project_path",
                "ref",
                "sha",
                "ci_config_ref_uri",
                "environment",
                "pipeline_id",
                "job_id",
                "user_login",
            ],
            Self::Buildkite => {
                &["organization_slug", "pipeline_slug", "build_number", "build_branch", "build_commit", "step_key"]
            }
            Self::Generic => &[],
        }
    }

    /// Explains what is wrong with the claims of a publisher, if something is. Only the pattern of `sub` of an unknown
    /// issuer may have a `*`, and then after some fixed text.
    pub fn check(self, claims: &[ClaimPattern]) -> Result<(), String> {
        for name in self.required() {
            let found = claims.iter().find(|one| one.claim == *name);
            let pattern = found.ok_or_else(|| format!("'{name}' is required for {}", self.as_str()))?;
            let is_fixed = pattern.is_exact() || (self == Self::Generic && !pattern.pattern.starts_with('*'));
            if !is_fixed || pattern.pattern.is_empty() {
                return Err(format!("'{name}' must be one value, without '*'"));
            }
        }
        Ok(())
    }
}
