//! The JSON of the REST API. Only this crate knows the odd spellings of the contract.

mod access_keys;
mod attributes;
mod audit;
mod content;
mod documents;
mod download_logs;
mod entitlements;
mod eulas;
mod files;
mod flag;
mod followers;
mod licenses;
mod links;
mod message;
mod named;
mod orgs;
mod packages;
mod patch;
mod products;
mod ratings;
mod repos;
mod restrictions;
mod secret;
mod signed_urls;
mod signing;
mod staging;
mod statistics;
mod storage_quotas;
mod stream;
mod teams;
mod usage;
mod users;
mod versions;
mod webhooks;

pub use access_keys::{
    AccessKey, AccessKeyChange, AccessKeyCredentials, AccessKeyId, AccessKeyList, AccessKeyUsage, ExistenceCheck,
    ExistenceCheckChange, NewAccessKey,
};
pub use attributes::{Attribute, AttributeClause, AttributeValues, NewAttribute};
pub use audit::AuditEntry;
pub use content::{FolderEntry, Publish, PublishedFiles};
pub use documents::{Document, SentDocument, SetDocument, ShownDocument};
pub use download_logs::LogFile;
pub use entitlements::{Entitlement, EntitlementChange, EntitlementSummary, FoundEntitlement, NewEntitlement};
pub use eulas::{Eula, EulaAcceptance, EulaChange, EulaSummary, FileEula, NewEula, SignedEula};
pub use files::{File, FileMetadata};
pub use followers::Follower;
pub use licenses::{CustomLicense, CustomLicenseChange, NewCustomLicense, OssLicense};
pub use links::NewLink;
pub use message::Message;
pub use named::Named;
pub use orgs::{Member, NewMember, NewOrg, Org, OrgChange};
pub use packages::{NewPackage, Package, PackageChange, PackageSummary, PublisherFields};
pub use products::{NewProduct, Product, ProductChange, ProductSummary};
pub use ratings::NewRating;
pub use repos::{NewRepo, Repo, RepoChange, RepoKind, RepoSummary};
pub use restrictions::{GeoRestrictions, IpRestrictions, IpRestrictionsChange};
pub use secret::Secret;
pub use signed_urls::{NewSignedUrl, SignedUrl};
pub use signing::{GpgKey, NewGpgKey, Signing};
pub use staging::{NewSync, Sync};
pub use statistics::{
    CountryDownloads, CountryRecord, DailyDownloads, DayRecord, TimeRange, TotalDownloads, VersionDownloads,
};
pub use storage_quotas::{NewStorageQuota, StorageQuota};
pub use stream::StreamEvent;
pub use teams::{NewTeam, Permission, Team, TeamChange, TeamList};
pub use usage::{PackageUsage, Usage, UsageThreshold, UsageThresholdChange};
pub use users::{ApiKey, CreatedUser, NewPlan, NewUser, User, UserChange};
pub use versions::{NewVersion, Version, VersionChange};
pub use webhooks::{CreatedWebhook, Delivery, NewWebhook, Webhook, WebhookOutcome, WebhookTest};
