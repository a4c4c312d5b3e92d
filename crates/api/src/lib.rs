//! The JSON of the REST API. Every odd spelling of the contract lives here and nowhere else.

mod audit;
mod message;
mod orgs;
mod patch;
mod users;

pub use audit::AuditEntry;
pub use message::Message;
pub use orgs::{Member, NewMember, NewOrg, Org, OrgChange};
pub use users::{ApiKey, CreatedUser, NewPlan, NewUser, User, UserChange};
