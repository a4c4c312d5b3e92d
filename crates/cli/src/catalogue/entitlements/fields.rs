//! The fields of entitlements.

use clap::Args;

/// The fields of a new entitlement.
#[derive(Debug, Args)]
pub struct NewEntitlement {
    /// The names of the access keys
    #[arg(required = true, value_name = "KEY")]
    keys: Vec<String>,
    /// r to read, rw to read and publish
    #[arg(long, value_name = "RIGHT", default_value = "r", value_parser = ["r", "rw"])]
    access: String,
    /// Only this file or folder of the repository
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Tags
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    tags: Option<Vec<String>>,
}

impl NewEntitlement {
    pub(super) fn keys(&self) -> String {
        self.keys.join(", ")
    }

    pub(super) fn body(&self) -> api::NewEntitlement {
        api::NewEntitlement {
            id: None,
            access: self.access.clone(),
            access_keys: Some(self.keys.clone()),
            path: self.path.clone(),
            tags: self.tags.clone(),
        }
    }
}

/// The changes to an entitlement.
#[derive(Debug, Args)]
pub struct EditedEntitlement {
    /// r to read, rw to read and publish
    #[arg(long, value_name = "RIGHT", value_parser = ["r", "rw"])]
    access: Option<String>,
    /// Access keys to add
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    add_keys: Option<Vec<String>>,
    /// Access keys to remove
    #[arg(long, value_name = "KEY", value_delimiter = ',')]
    remove_keys: Option<Vec<String>>,
    /// Only this file or folder of the repository
    #[arg(long, value_name = "PATH")]
    path: Option<String>,
    /// Tags, which replace all existing ones
    #[arg(long, value_name = "WORD", value_delimiter = ',')]
    tags: Option<Vec<String>>,
}

impl EditedEntitlement {
    pub(super) fn body(&self) -> api::EntitlementChange {
        api::EntitlementChange {
            access: self.access.clone(),
            access_keys_add: self.add_keys.clone(),
            access_keys_remove: self.remove_keys.clone(),
            path: self.path.clone().map(Some),
            tags: self.tags.clone(),
            ..api::EntitlementChange::default()
        }
    }
}
