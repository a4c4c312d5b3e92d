//! The responses to writers before the server died, compared with the state of the next server.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use suite::{Person, Process};

/// A requested write.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Write {
    User { name: String },
    Rotation { user: String },
    Org { name: String, owner: String },
    Member { org: String, user: String },
}

impl Write {
    /// Returns action and target of the entry in the audit log, which is written in the same transaction.
    fn audit(&self) -> (String, String) {
        let (action, target) = match self {
            Write::User { name } => ("user.create", name.clone()),
            Write::Rotation { user } => ("user.rotate_key", user.clone()),
            Write::Org { name, .. } => ("org.create", name.clone()),
            Write::Member { org, user } => ("member.set", format!("{org}/{user}")),
        };
        (action.to_owned(), target)
    }
}

/// The requests of one writer during one life of the server, in order.
#[derive(Debug, Default)]
pub(crate) struct Journal {
    /// Acknowledged writes, with the key if the response had one.
    pub(crate) acknowledged: Vec<(Write, Option<String>)>,
    /// The write without a response.
    pub(crate) in_flight: Option<Write>,
}

/// The expected state.
#[derive(Default)]
pub(crate) struct Ledger {
    /// Users and their API keys; without a key if its response was lost.
    users: BTreeMap<String, Option<String>>,
    /// Organizations and their members.
    orgs: BTreeMap<String, BTreeSet<String>>,
    /// The last entry of the audit log that was checked.
    seq: i64,
}

impl Ledger {
    /// Adds users that were created before the first kill.
    pub(crate) async fn open(server: &Process, users: &[&str]) -> Self {
        let mut ledger = Self::default();
        for name in users {
            ledger.users.insert((*name).to_owned(), Some(server.user(name).await.key().to_owned()));
        }
        ledger.seq = last_seq(server).await;
        ledger
    }

    /// Returns the key of a user.
    pub(crate) fn key(&self, user: &str) -> &str {
        self.users[user].as_deref().expect("its key is known")
    }

    /// Returns the expected number of users and organizations.
    pub(crate) fn len(&self) -> usize {
        self.users.len() + self.orgs.len()
    }

    /// Compares the responses to the writers with the state of the server, and adds the writes.
    pub(crate) async fn verify(&mut self, server: &Process, journals: Vec<Journal>) {
        let mut written = written_since(server, self.seq).await;
        for journal in journals {
            for (write, key) in &journal.acknowledged {
                assert!(take_one(&mut written, write), "{write:?} was acknowledged and is not in the audit log");
                self.note(write, key.clone());
            }
            if let Some(write) = &journal.in_flight {
                let is_applied = take_one(&mut written, write);
                self.check_in_flight(server, write, is_applied).await;
            }
            for (write, key) in &journal.acknowledged {
                self.check_acknowledged(server, write, key.as_deref()).await;
            }
        }
        assert!(written.is_empty(), "nobody asked for {written:?}");
        self.replace_lost_keys(server).await;
        self.seq = last_seq(server).await;
    }

    /// Checks everything that was ever acknowledged, or found applied.
    pub(crate) async fn verify_all(&self, server: &Process) {
        for (name, key) in &self.users {
            match key {
                Some(key) => server.person(name, key).get(&format!("/users/{name}")).await.expect(200),
                None => server.admin().get(&format!("/users/{name}")).await.expect(200),
            };
        }
        for (org, members) in &self.orgs {
            assert_eq!(members_of(server, org).await.as_ref(), Some(members), "members of {org}");
        }
    }

    fn note(&mut self, write: &Write, key: Option<String>) {
        match write {
            Write::User { name: user } | Write::Rotation { user } => {
                self.users.insert(user.clone(), key);
            }
            Write::Org { name, owner } => {
                self.orgs.insert(name.clone(), BTreeSet::from([format!("{owner} owner")]));
            }
            Write::Member { org, user } => {
                self.orgs.get_mut(org).expect("it was made before").insert(format!("{user} member"));
            }
        }
    }

    /// Checks that an acknowledged write took effect, and that only the newest key of a user works.
    async fn check_acknowledged(&self, server: &Process, write: &Write, key: Option<&str>) {
        match write {
            Write::User { name: user } | Write::Rotation { user } => {
                let is_last = key.is_some() && self.users[user].as_deref() == key;
                let caller = server.person(user, key.expect("the answer had a key"));
                let answer = caller.get(&format!("/users/{user}")).await;
                assert_eq!(answer.status, if is_last { 200 } else { 401 }, "{write:?}: {}", answer.text());
            }
            Write::Org { name: org, .. } | Write::Member { org, .. } => {
                assert_eq!(members_of(server, org).await.as_ref(), Some(&self.orgs[org]), "{write:?}");
            }
        }
    }

    /// Checks that a write without a response took effect completely or not at all.
    async fn check_in_flight(&mut self, server: &Process, write: &Write, is_applied: bool) {
        match write {
            Write::User { name } => {
                let answer = server.admin().get(&format!("/users/{name}")).await;
                assert_eq!(answer.status, if is_applied { 200 } else { 404 }, "{write:?}");
            }
            Write::Rotation { user } => {
                // The old key works unless the audit log has an entry that it was replaced.
                let answer = server.person(user, self.key(user)).get(&format!("/users/{user}")).await;
                assert_eq!(answer.status, if is_applied { 401 } else { 200 }, "{write:?}");
            }
            Write::Org { name: org, .. } => {
                assert_eq!(members_of(server, org).await.is_some(), is_applied, "{write:?}");
            }
            Write::Member { org, user } => {
                let members = members_of(server, org).await.expect("it was made before");
                assert_eq!(members.contains(&format!("{user} member")), is_applied, "{write:?}");
            }
        }
        if is_applied {
            self.note(write, None);
        }
    }

    /// Gives a new key to users whose last key was lost in a response. This also shows that their account is intact.
    async fn replace_lost_keys(&mut self, server: &Process) {
        for (name, key) in self.users.iter_mut().filter(|(_, key)| key.is_none()) {
            let answer = server.admin().post(&format!("/users/{name}/api_key")).await.expect(201).json();
            *key = answer["api_key"].as_str().map(str::to_owned);
        }
    }
}

/// Counts of audit log entries by action and target.
type Written = BTreeMap<(String, String), usize>;

fn take_one(written: &mut Written, write: &Write) -> bool {
    let entry = write.audit();
    let Some(count) = written.get_mut(&entry) else { return false };
    *count -= 1;
    if *count == 0 {
        written.remove(&entry);
    }
    true
}

async fn written_since(server: &Process, seq: i64) -> Written {
    let mut written = Written::new();
    let mut expected = last_seq(server).await;
    let mut start = 0;
    while expected > seq {
        let page = audit_page(&server.admin(), start).await;
        start += page.len();
        for entry in page.into_iter().take_while(|entry| entry["seq"].as_i64() > Some(seq)) {
            assert_eq!(entry["seq"], expected, "the audit log has no gaps");
            expected -= 1;
            let text = |field: &str| entry[field].as_str().expect("a text").to_owned();
            *written.entry((text("action"), text("target"))).or_default() += 1;
        }
    }
    written
}

async fn last_seq(server: &Process) -> i64 {
    audit_page(&server.admin(), 0).await[0]["seq"].as_i64().expect("a number")
}

async fn audit_page(admin: &Person, start: usize) -> Vec<Value> {
    let page = admin.get(&format!("/audit?start_pos={start}")).await.expect(200).json();
    let entries = page.as_array().expect("a list").clone();
    assert!(!entries.is_empty(), "the audit log ends at {start}");
    entries
}

/// Returns the members of an organization as `name role`; `None` if it does not exist.
async fn members_of(server: &Process, org: &str) -> Option<BTreeSet<String>> {
    let answer = server.admin().get(&format!("/orgs/{org}")).await;
    if answer.status == 404 {
        return None;
    }
    let text = |member: &Value, field: &str| member[field].as_str().expect("a text").to_owned();
    let shown = answer.expect(200).json();
    let members = shown["members"].as_array().expect("a list");
    Some(members.iter().map(|member| format!("{} {}", text(member, "name"), text(member, "type"))).collect())
}
