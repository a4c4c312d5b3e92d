//! The plan of a subject.

/// The plan of a subject. Each includes the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Plan {
    /// Public hosting with a low limit of daily queries.
    Free,
    /// Private hosting, signed URLs, entitlements, teams, statistics.
    Premium,
    /// Everything, without a daily limit.
    Enterprise,
}

impl Plan {
    /// Every plan, smallest first.
    pub const ALL: [Plan; 3] = [Plan::Free, Plan::Premium, Plan::Enterprise];

    /// The plan's name.
    pub fn as_str(self) -> &'static str {
        match self {
            Plan::Free => "free",
            Plan::Premium => "premium",
            Plan::Enterprise => "enterprise",
        }
    }

    /// Returns the plan with this name.
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|plan| plan.as_str() == text)
    }
}
