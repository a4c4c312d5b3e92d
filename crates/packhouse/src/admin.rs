//! `packhouse admin`: manages the data of a server from the command line, with or without a running server.

mod backup;
mod garbage;
mod migrate;
mod people;
mod progress;
mod scrub;
mod verify;

use model::{email::Email, names::SubjectName, plan::Plan, role::Role};
use operations::{
    Caller, Clock, Entropy, House,
    accounts::{members, orgs, plans, users},
    maintenance::{master_key, nodes, site},
};
use server::{OpenHouse, Purpose, open_house};

use crate::{
    arguments::{AdminCommand, AdminSubject, KeyCommand, MasterKeyCommand, OrgCommand, PlanCommand, UserCommand},
    logging,
};

pub(crate) async fn run(command: &AdminCommand) -> Result<(), String> {
    let settings = command.flags.settings()?;
    logging::start(&settings::Log { level: "warn".into(), ..settings.log.clone() })?;
    // A restore begins without a house to open.
    if let AdminSubject::Restore { folder } = &command.about {
        return backup::restore(&settings, folder).await;
    }
    let purpose = if command.init { Purpose::Initialize } else { Purpose::Administer };
    let OpenHouse { house, lock } = open_house(&settings, Clock::system(), Entropy::system(), purpose).await?;
    match &command.about {
        AdminSubject::User(command) => user(&house, command).await,
        AdminSubject::Org(command) => org(&house, command).await,
        AdminSubject::Plan(PlanCommand::Set { subject, plan }) => set_plan(&house, subject, plan).await,
        AdminSubject::Key(KeyCommand::Rotate { user }) => rotate(&house, user).await,
        AdminSubject::MasterKey(MasterKeyCommand::Rotate) => {
            // Without the lock, a server may be using the embedded database.
            if settings.database_location().to_string().starts_with("sqlite:") {
                lock.as_ref().ok_or("the server is running; stop it before the master key is replaced")?;
            } else {
                master_key::check_stopped(&house, &Caller::operator()).await.map_err(text)?;
            }
            let path = settings.master_key_path();
            let old = master_key::rotate(&house, &Caller::operator(), &path).await.map_err(text)?;
            println!("the master key is replaced; the old one is kept for older backups: {}", old.display());
            Ok(())
        }
        AdminSubject::Nodes => list_nodes(&house).await,
        AdminSubject::Check => check(&house).await,
        AdminSubject::Gc { dry_run, grace_hours } => {
            let mode = if *dry_run { garbage::Mode::DryRun } else { garbage::Mode::Run };
            garbage::run(&house, mode, *grace_hours).await
        }
        AdminSubject::Verify { quick, remove_orphans } => {
            let options =
                operations::maintenance::verify::Options { is_quick: *quick, removes_orphans: *remove_orphans };
            verify::run(&house, options).await
        }
        AdminSubject::Scrub { now, heal_from } => scrub::run(&house, &settings, *now, heal_from.as_deref()).await,
        AdminSubject::Backup { folder, with_master_key } => {
            backup::take(&house, &settings.master_key_path(), folder, *with_master_key).await
        }
        AdminSubject::Migrate { to } => {
            // Without the lock, another process may be using the house.
            lock.as_ref().ok_or_else(migrate::refusal)?;
            migrate::run(&house, &settings, to).await
        }
        AdminSubject::Restore { .. } => unreachable!("it was done before the database was opened"),
    }
}

async fn user(house: &House, command: &UserCommand) -> Result<(), String> {
    match command {
        UserCommand::Create { name, site_admin: true, .. } => {
            let key = site::create_admin(house, &Caller::operator(), &subject(name)?).await.map_err(text)?;
            println!("{}", key.expose());
        }
        UserCommand::Create { name, full_name, email, plan, .. } => {
            let new = users::NewUser {
                name: subject(name)?,
                full_name: full_name.clone(),
                email: email.as_deref().map(Email::parse).transpose().map_err(text)?,
                password: None,
                plan: plan.as_deref().map(parse_plan).transpose()?,
            };
            let (_, key) = users::create(house, &Caller::operator(), new).await.map_err(text)?;
            println!("{}", key.expose());
        }
        UserCommand::Ls { start } => people::list(house, start).await?,
        UserCommand::Password { name } => people::reset_password(house, &subject(name)?).await?,
        UserCommand::Suspend { name, end } => people::suspend(house, &subject(name)?, *end).await?,
        UserCommand::Delete { name } => {
            users::delete(house, &Caller::operator(), &subject(name)?).await.map_err(text)?
        }
    }
    Ok(())
}

async fn org(house: &House, command: &OrgCommand) -> Result<(), String> {
    let operator = &Caller::operator();
    match command {
        OrgCommand::Create { name, owner, full_name } => {
            let (name, owner) = (subject(name)?, subject(owner)?);
            orgs::create_for(house, operator, name, full_name.clone(), &owner).await.map_err(text)?;
        }
        OrgCommand::Member { org, user, role } => {
            let role = Role::parse(role).ok_or_else(|| format!("`{role}` is not one of owner, admin, member"))?;
            members::set(house, operator, &subject(org)?, &subject(user)?, role).await.map_err(text)?;
        }
        OrgCommand::Delete { name } => orgs::delete(house, operator, &subject(name)?).await.map_err(text)?,
    }
    Ok(())
}

async fn set_plan(house: &House, name: &str, plan: &str) -> Result<(), String> {
    plans::set(house, &Caller::operator(), &subject(name)?, parse_plan(plan)?).await.map_err(text)
}

async fn rotate(house: &House, name: &str) -> Result<(), String> {
    let key = users::rotate_key(house, &Caller::operator(), &subject(name)?).await.map_err(text)?;
    println!("{}", key.expose());
    Ok(())
}

/// Prints a head, and one line per server: its name, its version, its start, and its last heartbeat.
async fn list_nodes(house: &House) -> Result<(), String> {
    let nodes = nodes::list(house, &Caller::operator()).await.map_err(text)?;
    let width = nodes.iter().map(|seen| seen.node.name.chars().count()).max().unwrap_or_default().max(4);
    if !nodes.is_empty() {
        println!("{:width$} {:8} {:24} {:24} STATE", "NAME", "VERSION", "STARTED", "SEEN");
    }
    for seen in nodes {
        let (node, standing) = (seen.node, if seen.is_running { "running" } else { "silent" });
        let (started, seen) = (node.started.to_string(), node.seen.to_string());
        println!("{:width$} {:8} {started:24} {seen:24} {standing}", node.name, node.version);
    }
    Ok(())
}

async fn check(house: &House) -> Result<(), String> {
    let mut damage = site::find_damage(house).await.map_err(text)?;
    damage.extend(house.blobs.check().await.err().map(|error| format!("content store: {error}")));
    if damage.is_empty() {
        println!("no damage found");
        return Ok(());
    }
    damage.iter().for_each(|line| println!("{line}"));
    Err(format!("{} problems found", damage.len()))
}

fn subject(name: &str) -> Result<SubjectName, String> {
    SubjectName::parse(name).map_err(text)
}

fn parse_plan(plan: &str) -> Result<Plan, String> {
    Plan::parse(plan).ok_or_else(|| format!("`{plan}` is not one of free, premium, enterprise"))
}

fn text(error: impl ToString) -> String {
    error.to_string()
}
