//! Places in organizations that come from groups. They are set at each sign-in.

use std::collections::BTreeMap;

use database::{
    ScopedFutureExt, Tx,
    access::teams,
    accounts::{members, subjects},
};
use model::{
    audit::NewAuditRecord,
    group_rule::{GroupPlace, GroupRule},
    id::SubjectId,
    names::{SubjectName, TeamName},
    role::Role,
    subject::{Subject, SubjectKind},
};

use crate::{
    Caller, Error, House, Result,
    accounts::members::insert,
    audit::{entry, record},
    oidc::OidcConfig,
};

/// Gives a user the places of these groups, and takes away those of other groups. Organizations, teams and roles that
/// no rule names stay as they are.
pub(super) async fn apply(
    house: &House,
    caller: &Caller,
    config: &OidcConfig,
    user_id: SubjectId,
    groups: &[String],
) -> Result<()> {
    if config.groups.is_empty() {
        return Ok(());
    }
    let mut by_org: BTreeMap<&SubjectName, Vec<&GroupRule>> = BTreeMap::new();
    for rule in &config.groups {
        by_org.entry(&rule.org).or_default().push(rule);
    }
    let by_org = &by_org;
    house
        .db
        .write(|tx| {
            async move {
                let mut changes = Vec::new();
                for (name, rules) in by_org {
                    let found = subjects::find(tx, name).await?.filter(|found| found.kind == SubjectKind::Org);
                    let Some(org) = found else {
                        tracing::warn!("oidc.group_map names the organization `{name}`, which does not exist");
                        continue;
                    };
                    subjects::lock(tx, org.id).await?;
                    let Some(user) = subjects::find_by_id(tx, user_id).await? else { return Ok(()) };
                    let place = Place { house, caller, org: &org, user: &user, rules, groups };
                    place.set_role(tx, &mut changes).await?;
                    place.set_teams(tx, &mut changes).await?;
                }
                for change in &changes {
                    record(tx, change).await?;
                }
                Ok::<_, Error>(())
            }
            .scope_boxed()
        })
        .await
}

/// A user's place in an organization.
struct Place<'p> {
    house: &'p House,
    caller: &'p Caller,
    org: &'p Subject,
    user: &'p Subject,
    rules: &'p [&'p GroupRule],
    groups: &'p [String],
}

impl Place<'_> {
    fn granted(&self) -> impl Iterator<Item = &&GroupRule> {
        self.rules.iter().filter(|rule| self.groups.contains(&rule.group))
    }

    async fn set_role(&self, tx: &mut Tx, changes: &mut Vec<NewAuditRecord>) -> Result<()> {
        let before = members::find(tx, self.org.id, self.user.id).await?;
        let wanted = self.granted().map(|rule| rule.role()).max();
        // A role that no rule can give was given by a person.
        let is_given = |role: Role| self.rules.iter().any(|rule| rule.role() == role);
        if before == wanted || before.is_some_and(|role| !is_given(role) && wanted < Some(role)) {
            return Ok(());
        }
        if before == Some(Role::Owner) && members::count_owners(tx, self.org.id).await? < 2 {
            tracing::warn!("`{}` stays an owner of `{}`, which has no other", self.user.name, self.org.name);
            return Ok(());
        }
        match wanted {
            Some(role) => insert(tx, self.org.id, self.user, role).await?,
            None => members::delete(tx, self.org.id, self.user.id).await?,
        }
        let action = if wanted.is_some() { "member.set" } else { "member.remove" };
        self.add_record(changes, action, &self.org.name.to_string(), wanted.map_or("", Role::as_str));
        Ok(())
    }

    async fn set_teams(&self, tx: &mut Tx, changes: &mut Vec<NewAuditRecord>) -> Result<()> {
        let team_of = |rule: &GroupRule| match &rule.place {
            GroupPlace::Team(team) => Some(team.clone()),
            GroupPlace::Role(_) => None,
        };
        let wanted: Vec<TeamName> = self.granted().filter_map(|rule| team_of(rule)).collect();
        let mut named: Vec<TeamName> = self.rules.iter().filter_map(|rule| team_of(rule)).collect();
        named.sort();
        named.dedup();
        for name in named {
            let Some(team) = teams::find(tx, self.org.id, &name).await? else {
                tracing::warn!("oidc.group_map names the team `{}/{name}`, which does not exist", self.org.name);
                continue;
            };
            let is_in = teams::has_member(tx, team.id, self.user.id).await?;
            let word = match (is_in, wanted.contains(&name)) {
                (false, true) if teams::insert_member(tx, &team, &self.user.name).await? => "added",
                (true, false) => {
                    teams::delete_member(tx, team.id, self.user.id).await?;
                    "removed"
                }
                _ => continue,
            };
            self.add_record(changes, "team.edit", &format!("{}/{name}", self.org.name), word);
        }
        Ok(())
    }

    fn add_record(&self, changes: &mut Vec<NewAuditRecord>, action: &'static str, target: &str, what: &str) {
        let target = if action == "team.edit" { target.to_owned() } else { format!("{target}/{}", self.user.name) };
        let detail = format!("single sign-on of {}: {what}", self.user.name);
        changes.push(entry(self.house, self.caller, action, target, detail));
    }
}
