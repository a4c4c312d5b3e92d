//! The editable fields of a package, in one list.

use std::mem;

use crate::{
    package::FieldEdit,
    text::{check_labels, check_line, check_text},
};

/// Declares the editable fields of a package, each as `"name" => field: type, check;`. The name is the one in the API
/// and in the audit log; the check says what is wrong with a value.
macro_rules! package_fields {
    ($($(#[$doc:meta])* $name:literal => $field:ident: $type:ty, $check:ident;)+) => {
        /// The editable fields of a package.
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct PackageProfile {
            $($(#[$doc])* pub $field: $type,)+
        }

        /// Changes to a package. Absent fields stay as they are.
        #[derive(Debug, Clone, Default)]
        pub struct PackageChange {
            $($(#[$doc])* pub $field: Option<$type>,)+
        }

        /// A change of all fields.
        impl From<PackageProfile> for PackageChange {
            fn from(profile: PackageProfile) -> Self {
                Self { $($field: Some(profile.$field),)+ }
            }
        }

        impl PackageChange {
            /// Checks the new values. Returns the name of the first field with an invalid one, and the reason.
            pub fn check(&self) -> Result<(), (&'static str, &'static str)> {
                $(if let Some(value) = &self.$field {
                    $check(value).map_err(|reason| ($name, reason))?;
                })+
                Ok(())
            }

            /// Applies the changes. Returns the fields that they set.
            pub fn apply(&self, profile: &mut PackageProfile) -> Vec<FieldEdit> {
                let mut edits = Vec::new();
                $(if let Some(value) = &self.$field {
                    let before = mem::replace(&mut profile.$field, value.clone());
                    edits.push(FieldEdit { name: $name, before: before.into(), after: value.clone().into() });
                })+
                edits
            }
        }
    };
}

package_fields! {
    /// Its description.
    "desc" => description: String, check_text;
    /// Labels for searches.
    "labels" => labels: Vec<String>, check_labels;
    /// Licences from the list in the contract, or from the settings.
    "licenses" => licenses: Vec<String>, unchecked;
    /// Custom licences of the owner.
    "custom_licenses" => custom_licenses: Vec<String>, unchecked;
    /// The URL of its website.
    "website_url" => website_url: Option<String>, check_optional_line;
    /// The URL of its issue tracker.
    "issue_tracker_url" => issue_tracker_url: Option<String>, check_optional_line;
    /// The URL of its source repository.
    "vcs_url" => vcs_url: Option<String>, check_optional_line;
    /// The repository on GitHub.
    "github_repo" => github_repo: Option<String>, check_optional_line;
    /// The file with the release notes in that repository.
    "github_release_notes_file" => github_release_notes_file: Option<String>, check_optional_line;
    /// Whether everyone may see the download statistics.
    "public_download_numbers" => public_download_numbers: bool, unchecked;
}

fn check_optional_line(line: &Option<String>) -> Result<(), &'static str> {
    check_line(line.as_deref().unwrap_or_default())
}

/// For fields whose type allows every value, and for values that only an operation can check.
fn unchecked<T>(_: &T) -> Result<(), &'static str> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::package::FieldValue;

    #[test]
    fn a_change_sets_the_given_fields_and_returns_them() {
        let mut profile = PackageProfile { vcs_url: Some("old".into()), ..PackageProfile::default() };
        let change = PackageChange {
            description: Some("new".into()),
            vcs_url: Some(None),
            public_download_numbers: Some(false),
            ..PackageChange::default()
        };
        let edits = change.apply(&mut profile);
        assert_eq!(profile, PackageProfile { description: "new".into(), ..PackageProfile::default() });
        let edit = |name, before, after| FieldEdit { name, before, after };
        let expected = [
            edit("desc", FieldValue::Text(String::new()), FieldValue::Text("new".into())),
            edit("vcs_url", FieldValue::OptionalText(Some("old".into())), FieldValue::OptionalText(None)),
            edit("public_download_numbers", FieldValue::Flag(false), FieldValue::Flag(false)),
        ];
        assert_eq!(edits, expected);
    }

    #[test]
    fn a_change_of_all_fields_makes_the_same_profile() {
        let profile = PackageProfile { labels: vec!["a".into()], website_url: Some("b".into()), ..Default::default() };
        let mut other = PackageProfile { description: "other".into(), ..PackageProfile::default() };
        PackageChange::from(profile.clone()).apply(&mut other);
        assert_eq!(other, profile);
    }

    #[test]
    fn every_text_is_checked_under_its_name() {
        let bad = || Some(Some("a\0".to_owned()));
        let invalid = [
            ("desc", PackageChange { description: Some("\0".into()), ..PackageChange::default() }),
            ("labels", PackageChange { labels: Some(vec![String::new()]), ..PackageChange::default() }),
            ("website_url", PackageChange { website_url: bad(), vcs_url: bad(), ..PackageChange::default() }),
            ("issue_tracker_url", PackageChange { issue_tracker_url: bad(), ..PackageChange::default() }),
            ("vcs_url", PackageChange { vcs_url: bad(), ..PackageChange::default() }),
            ("github_repo", PackageChange { github_repo: bad(), ..PackageChange::default() }),
            (
                "github_release_notes_file",
                PackageChange { github_release_notes_file: bad(), ..PackageChange::default() },
            ),
        ];
        for (name, change) in invalid {
            assert_eq!(change.check().map_err(|(field, _)| field), Err(name));
        }
        assert_eq!(PackageChange { vcs_url: Some(None), ..PackageChange::default() }.check(), Ok(()));
    }
}
