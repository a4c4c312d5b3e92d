//! The texts of messages: plain text, without pictures or anything that reports who reads them.

use model::timestamp::Timestamp;

/// What a message is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Asks the user to confirm the e-mail address.
    Verification {
        /// The path and query of the page that confirms it.
        path: String,
    },
    /// Somebody signed in from a device or a network that the user has not used before.
    NewDevice {
        /// The device in a few words.
        device: String,
        /// The address and the country.
        place: String,
    },
    /// The second factor was turned on or off.
    SecondFactor {
        /// Whether it is on now.
        is_on: bool,
    },
    /// A site administrator has reset the password.
    PasswordReset,
    /// The user belongs to an organization now.
    Membership {
        /// The name of the organization.
        org: String,
        /// The role in it.
        role: &'static str,
        /// Who added the user.
        by: String,
    },
    /// Somebody is invited to an organization.
    Invitation {
        /// The name of the organization.
        org: String,
        /// The role in it.
        role: &'static str,
        /// Who invites.
        by: String,
        /// The path and query of the page that accepts it.
        path: String,
        /// Until when it is good.
        until: Timestamp,
    },
    /// A token or a key expires soon.
    Expiry {
        /// What expires, with its name and owner.
        what: String,
        /// When it expires.
        at: Timestamp,
        /// The path of the page where it is renewed.
        path: String,
    },
}

impl Message {
    /// The kind, which limits count.
    pub(super) fn kind(&self) -> &'static str {
        match self {
            Message::Verification { .. } => "verification",
            Message::NewDevice { .. } => "new device",
            Message::SecondFactor { .. } => "second factor",
            Message::PasswordReset => "password reset",
            Message::Membership { .. } => "membership",
            Message::Invitation { .. } => "invitation",
            Message::Expiry { .. } => "expiry",
        }
    }

    /// Returns whether it also goes to an address that its user has not confirmed.
    pub(super) fn is_for_unverified(&self) -> bool {
        matches!(self, Message::Verification { .. } | Message::PasswordReset)
    }

    /// The subject line.
    pub(super) fn title(&self) -> String {
        match self {
            Message::Verification { .. } => "Confirm your e-mail address".to_owned(),
            Message::NewDevice { .. } => "New sign-in to your account".to_owned(),
            Message::SecondFactor { is_on: true } => "Second factor turned on".to_owned(),
            Message::SecondFactor { is_on: false } => "Second factor turned off".to_owned(),
            Message::PasswordReset => "Your password has been reset".to_owned(),
            Message::Membership { org, .. } => format!("You have been added to {org}"),
            Message::Invitation { org, .. } => format!("You are invited to {org}"),
            Message::Expiry { what, .. } => format!("{what} expires soon"),
        }
    }

    /// The text, to somebody with this name; people without an account have an empty one.
    pub(super) fn body(&self, name: &str, public_url: &str, now: Timestamp) -> String {
        let site = public_url.trim_end_matches('/');
        let check =
            format!("If this was not you, change your password and end other sessions:\n{site}/account/security");
        let text = match self {
            Message::Verification { path } => format!(
                "Open this page while you are signed in to confirm that this address is yours:\n{site}{path}\n\nIf \
                 you do not have an account there, ignore this message."
            ),
            Message::NewDevice { device, place } => {
                format!("Someone signed in to your account at {now}.\n\nDevice: {device}\nFrom: {place}\n\n{check}")
            }
            Message::SecondFactor { is_on: true } => {
                format!("The second factor of your account was turned on at {now}.\n\n{check}")
            }
            Message::SecondFactor { is_on: false } => {
                format!("The second factor of your account was turned off at {now}.\n\n{check}")
            }
            Message::PasswordReset => format!(
                "An administrator reset the password of your account at {now}. All sessions have ended. Ask the \
                 administrator for the new password, sign in and change it:\n{site}/account"
            ),
            Message::Membership { org, role, by } => {
                format!("{by} added you to the organization {org} as {role}:\n{site}/-/orgs/{org}")
            }
            Message::Invitation { org, role, by, path, until } => format!(
                "{by} invites you to join the organization {org} as {role}. Sign in and accept by \
                 {until}:\n{site}{path}\n\nThe link works once. If you do not know {by}, ignore this message."
            ),
            Message::Expiry { what, at, path } => {
                format!("{what} expires at {at}. Renew it before then, so that nothing stops working:\n{site}{path}")
            }
        };
        let greeting = if name.is_empty() { "Hello".to_owned() } else { format!("Hello {name}") };
        format!("{greeting},\n\n{text}\n\nThis message was sent by packhouse at {site}\n")
    }
}
