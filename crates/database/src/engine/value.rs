//! Arguments of statements.

use model::{digest::Digest, file_path::FilePath, id, names, timestamp::Timestamp};

/// One argument.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Null,
    Int(i64),
    Real(f64),
    Text(String),
    Bool(bool),
    Bytes(Vec<u8>),
}

macro_rules! value_from {
    ($($type:ty => |$value:ident| $made:expr),* $(,)?) => { $(
        impl From<$type> for Value {
            fn from($value: $type) -> Self {
                $made
            }
        }
    )* };
}
value_from! {
    i64 => |value| Value::Int(value),
    f64 => |value| Value::Real(value),
    bool => |value| Value::Bool(value),
    Vec<u8> => |value| Value::Bytes(value),
    &[u8] => |value| Value::Bytes(value.to_vec()),
    &str => |value| Value::Text(value.to_owned()),
    String => |value| Value::Text(value),
    &String => |value| Value::Text(value.clone()),
    Timestamp => |value| Value::Int(value.millis()),
    id::RepoId => |value| Value::Int(value.get()),
    id::PackageId => |value| Value::Int(value.get()),
    id::VersionId => |value| Value::Int(value.get()),
    id::SubjectId => |value| Value::Int(value.get()),
    id::BlobId => |value| Value::Int(value.get()),
    id::KeyId => |value| Value::Int(value.get()),
    id::TokenId => |value| Value::Int(value.get()),
    id::PublisherId => |value| Value::Int(value.get()),
    id::InvitationId => |value| Value::Int(value.get()),
    id::GranteeId => |value| match value {
        id::GranteeId::User(id) => id.into(),
        id::GranteeId::Key(id) => id.into(),
        id::GranteeId::Token(id) => id.into(),
    },
    Digest => |value| Value::Text(value.to_string()),
    &FilePath => |value| Value::Text(value.as_str().to_owned()),
    &names::SubjectName => |value| Value::Text(value.as_str().to_owned()),
    &names::RepoName => |value| Value::Text(value.as_str().to_owned()),
    &names::PackageName => |value| Value::Text(value.as_str().to_owned()),
    &names::VersionName => |value| Value::Text(value.as_str().to_owned()),
    &names::LicenseName => |value| Value::Text(value.as_str().to_owned()),
    &names::TeamName => |value| Value::Text(value.as_str().to_owned()),
    &names::AccessKeyName => |value| Value::Text(value.as_str().to_owned()),
    &names::ProductName => |value| Value::Text(value.as_str().to_owned()),
    &names::EulaName => |value| Value::Text(value.as_str().to_owned()),
}

impl<T> From<Option<T>> for Value
where
    Value: From<T>,
{
    fn from(value: Option<T>) -> Self {
        value.map_or(Value::Null, Value::from)
    }
}
