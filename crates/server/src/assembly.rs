//! Builds a house from the settings.

use std::{
    fs,
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::Path,
    time::Duration,
};

use blobs::{Location, S3Key, SecretKey};
use operations::{
    Clock, Entropy, Policy,
    accounts::mails::{MailConfig, MailLogin, MailSecurity},
    maintenance::scrub,
    oidc::{ClientSecret, OidcConfig},
    open::{self, HouseConfig, OpenHouse, OpenStores, Purpose, StoreConfig, UpgradePlan},
    outbound,
    public_sync::{Protocol, RegistryConfig},
    rendering::images::ImageRules,
};
use settings::{MailTls, Oidc, Settings, Staging, StagingProtocol};

/// Opens the stores that the settings name, and builds a house on them.
pub async fn open_house(
    settings: &Settings,
    clock: Clock,
    entropy: Entropy,
    purpose: Purpose,
) -> Result<OpenHouse, String> {
    if purpose == Purpose::Administer {
        check_installation(settings).map_err(|missing| format!("{missing}, or add --init to create one"))?;
    }
    make_data_folder(&settings.data)?;
    if purpose == Purpose::Serve {
        warn_of_open_folder(&settings.data);
    }
    let policy = Policy {
        default_plan: settings.default_plan,
        open_registration: settings.open_registration,
        free_queries_per_day: settings.limits.free_queries_per_day.into(),
        premium_queries_per_day: settings.limits.premium_queries_per_day.into(),
        free_storage_bytes: bytes(settings.limits.free_storage_bytes),
        premium_storage_bytes: bytes(settings.limits.premium_storage_bytes),
        enterprise_storage_bytes: bytes(settings.limits.enterprise_storage_bytes),
        upload_days: settings.windows.upload_days.into(),
        delete_days: settings.windows.delete_days.into(),
        signed_url_hours: settings.limits.signed_url_hours.into(),
        upload_bytes: settings.limits.upload_bytes,
        spool: settings.data.join("spool"),
        download_log_days: settings.download_logs.keep_days.into(),
        garbage_grace_hours: settings.garbage.grace_hours.into(),
        scrub: scrub_rules(settings)?,
        // Tools look up no countries, and work without the file.
        geo_database: settings.geo.database.clone().filter(|_| purpose == Purpose::Serve),
        outgoing: outbound::OutboundRules {
            allow_private: settings.outgoing.allow_private,
            refused: settings.outgoing.refused_networks.clone(),
        },
        readme_images: ImageRules {
            is_on: settings.readme_images.enabled,
            cache_bytes: settings.readme_images.cache_bytes,
            folder: settings.data.join("images"),
        },
        extra_licenses: settings.licenses.extra.clone(),
        staging: registry(&settings.staging),
        mail: mail(settings)?,
        webhooks_per_user: settings.limits.webhooks_per_user.into(),
        webhook_failures: settings.limits.webhook_failures.into(),
        wrong_credentials_per_name: settings.limits.wrong_credentials_per_name.into(),
        wrong_credentials_per_address: settings.limits.wrong_credentials_per_address.into(),
        node_name: node_name(settings),
        oidc: provider(&settings.oidc),
        tells_old_names: settings.old_client_names,
    };
    let (stores, formats) = (stores(settings)?, formats::FORMATS);
    let (master_key, runs) = (settings.master_key_path(), settings.data.join("runs"));
    let config = HouseConfig { stores, master_key, runs, policy, formats };
    open::house(config, clock, entropy, purpose).await.map_err(|error| error.to_string())
}

/// The registry that releases are pushed to, if one is configured.
fn registry(staging: &Staging) -> Option<RegistryConfig> {
    let protocol = match staging.protocol {
        StagingProtocol::Nexus => Protocol::Nexus,
        StagingProtocol::Portal => Protocol::Portal,
    };
    let timeout = Duration::from_secs(staging.timeout_secs);
    Some(RegistryConfig { url: staging.url.clone()?, protocol, profile: staging.profile.clone(), timeout })
}

/// The mail server, if one is configured.
fn mail(settings: &Settings) -> Result<Option<MailConfig>, String> {
    let mail = &settings.mail;
    let (Some(server), Some(from)) = (mail.server.clone(), mail.from.clone()) else { return Ok(None) };
    let read = |name: &str, path: &Path| fs::read(path).map_err(|error| format!("{name} {}: {error}", path.display()));
    let login = match (&mail.user, &mail.password_file) {
        (Some(user), Some(path)) => {
            let password = String::from_utf8_lossy(&read("mail.password_file", path)?).trim_end().to_owned();
            Some(MailLogin { user: user.clone(), password })
        }
        _ => None,
    };
    let security = match mail.tls {
        MailTls::StartTls => MailSecurity::StartTls,
        MailTls::Tls => MailSecurity::Tls,
        MailTls::None => MailSecurity::Plain,
    };
    let ca = mail.ca_file.as_deref().map(|path| read("mail.ca_file", path)).transpose()?;
    let public_url = settings.public_url();
    Ok(Some(MailConfig { server, port: mail.port, security, login, ca, from, public_url }))
}

/// The provider of single sign-on, if one is configured.
fn provider(oidc: &Oidc) -> Option<OidcConfig> {
    Some(OidcConfig {
        issuer: oidc.issuer.clone()?,
        client_id: oidc.client_id.clone()?,
        client_secret: oidc.client_secret.as_ref().map(|secret| ClientSecret::new(secret.reveal())),
        scopes: oidc.scopes.clone(),
        name_claim: oidc.name_claim.clone(),
        email_claim: oidc.email_claim.clone(),
        groups_claim: oidc.groups_claim.clone(),
        groups: oidc.group_rules(),
        creates_users: oidc.create_users,
        create_groups: oidc.create_groups.clone(),
        allows_passwords: oidc.password_sign_in,
        label: oidc.label.clone(),
    })
}

/// Converts a number of bytes to the type that the database uses.
fn bytes(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// The configured name of this node, or the host name of the machine; if that has none, the listening address.
fn node_name(settings: &Settings) -> String {
    let machine = || nix::unistd::gethostname().ok()?.into_string().ok().filter(|name| !name.is_empty());
    settings.node_name.clone().or_else(machine).unwrap_or_else(|| settings.listen.to_string())
}

/// Opens the stores that the settings name without writing to them.
pub async fn open_stores(settings: &Settings, entropy: &Entropy) -> Result<OpenStores, String> {
    make_data_folder(&settings.data)?;
    open::stores(stores(settings)?, entropy).await.map_err(|error| error.to_string())
}

/// Says what a start would change in the database that the settings name.
pub async fn plan_upgrade(settings: &Settings, clock: &Clock) -> Result<UpgradePlan, String> {
    check_installation(settings)?;
    open::plan_upgrade(&stores(settings)?, clock.now()).await.map_err(|error| error.to_string())
}

/// The stores that the settings name.
fn stores(settings: &Settings) -> Result<StoreConfig, String> {
    let url = settings.database_location();
    Ok(StoreConfig {
        database_url: url.reveal().to_owned(),
        shown_database_url: url.to_string(),
        connections: settings.database.connections,
        timeout: Duration::from_secs(settings.database.timeout_secs),
        ca_file: settings.database.ca_file.clone(),
        blobs: location(settings)?,
    })
}

fn location(settings: &Settings) -> Result<Location, String> {
    place(settings, &settings.blobs_location()).map_err(|error| format!("blobs: {error}"))
}

fn scrub_rules(settings: &Settings) -> Result<scrub::Rules, String> {
    let settings_of_scrub = &settings.scrub;
    let replica = settings_of_scrub.replica.as_deref().map(|text| place(settings, text)).transpose();
    Ok(scrub::Rules {
        period_days: settings_of_scrub.period_days.into(),
        bytes_per_second: settings_of_scrub.bytes_per_second,
        replica: replica.map_err(|error| format!("scrub.replica: {error}"))?,
    })
}

/// A location for content, with the credentials of the object store if it is a bucket.
pub fn place(settings: &Settings, text: &str) -> Result<Location, String> {
    let mut location = Location::parse(text).map_err(|error| error.to_string())?;
    if let Location::S3(s3) = &mut location {
        s3.endpoint = settings.s3.endpoint.clone();
        s3.region = settings.s3.region.clone();
        let (id, secret) = (settings.s3.access_key_id.clone(), settings.s3.secret_access_key.as_ref());
        s3.key = id.zip(secret).map(|(id, secret)| S3Key { id, secret: SecretKey::new(secret.reveal()) });
        s3.allow_http = settings.s3.allow_http;
    }
    Ok(location)
}

/// Refuses an embedded database that does not exist, before anything is created in its place.
fn check_installation(settings: &Settings) -> Result<(), String> {
    let url = settings.database_location();
    match url.reveal().strip_prefix("sqlite://") {
        Some(file) if !Path::new(file).is_file() => Err(format!(
            "there is no installation at {file}; name its folder with --data or its settings with --config"
        )),
        _ => Ok(()),
    }
}

/// Creates the data folder. It contains secrets, so no other user may read it.
fn make_data_folder(folder: &Path) -> Result<(), String> {
    if folder.is_dir() {
        return Ok(());
    }
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|error| format!("data folder {}: {error}", folder.display()))
}

/// Warns if other users can write to the folder: they could replace the server's key or database. It is not an error,
/// because container volumes are often created this way and no other user has access to them.
fn warn_of_open_folder(folder: &Path) {
    let mode = fs::metadata(folder).map_or(0, |found| found.permissions().mode());
    if mode & 0o002 != 0 {
        let (shown, mode) = (folder.display(), mode & 0o7777);
        tracing::warn!(
            "every user of this machine may write to the data folder {shown} (mode {mode:04o}): run `chmod o-w {shown}`"
        );
    }
}
