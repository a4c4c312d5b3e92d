//! Rules that give the groups of a sign-in provider a place in organizations.

use crate::{
    names::{SubjectName, TeamName},
    role::Role,
};

/// What the members of a group are in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupRule {
    /// The name of the group, as the provider writes it.
    pub group: String,
    /// The organization.
    pub org: SubjectName,
    /// The role or the team there.
    pub place: GroupPlace,
}

/// A place in an organization.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GroupPlace {
    /// A member with this role.
    Role(Role),
    /// A member of this team, and so of the organization.
    Team(TeamName),
}

impl GroupRule {
    /// Parses `group=org:role` or `group=org/team`. The group may contain the sign `=` itself.
    pub fn parse(text: &str) -> Option<Self> {
        let (group, place) = text.rsplit_once('=')?;
        let (group, place) = (group.trim(), place.trim());
        if group.is_empty() || group.chars().any(char::is_control) {
            return None;
        }
        let (org, place) = match (place.split_once(':'), place.split_once('/')) {
            (Some((org, role)), None) => (org, GroupPlace::Role(Role::parse(role)?)),
            (None, Some((org, team))) => (org, GroupPlace::Team(TeamName::parse(team).ok()?)),
            _ => return None,
        };
        Some(Self { group: group.to_owned(), org: SubjectName::parse(org).ok()?, place })
    }

    /// The role that the rule gives: members of a team are members of its organization.
    pub fn role(&self) -> Role {
        match self.place {
            GroupPlace::Role(role) => role,
            GroupPlace::Team(_) => Role::Member,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_names_a_role_or_a_team() {
        let rule = GroupRule::parse("cn=dev,dc=example = acme:admin").expect("valid");
        assert_eq!((rule.group.as_str(), rule.org.as_str()), ("cn=dev,dc=example", "acme"));
        assert_eq!(rule.place, GroupPlace::Role(Role::Admin));
        let rule = GroupRule::parse("release=acme/publishers").expect("valid");
        assert!(matches!(&rule.place, GroupPlace::Team(team) if team.as_str() == "publishers"));
        assert_eq!(rule.role(), Role::Member);
    }

    #[test]
    fn other_texts_are_no_rules() {
        for bad in ["", "dev", "=acme:admin", "dev=acme", "dev=acme:king", "dev=acme/", "dev=:admin", "dev=a/b:admin"] {
            assert_eq!(GroupRule::parse(bad), None, "{bad}");
        }
    }
}
