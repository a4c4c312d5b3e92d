//! Details of parameters and schemas that the types of Rust do not say: formats, values and examples.

use serde_json::{Value, json};

/// Fields that hold one of a few words, by schema.
const CHOICES: [(&str, &str, &[&str]); 7] = [
    ("NewMember", "type", &["owner", "admin", "member"]),
    ("Member", "type", &["owner", "admin", "member"]),
    ("Permission", "permission", &["read", "publish", "admin"]),
    ("NewEntitlement", "access", &["r", "rw"]),
    ("NewPlan", "plan", &["free", "premium", "enterprise"]),
    ("Document", "syntax", &["markdown", "asciidoc", "plain_text"]),
    ("Eula", "syntax", &["markdown", "asciidoc", "plain_text"]),
];

/// Fields of responses that hold a time.
const TIMES: [&str; 6] = ["created", "updated", "registered", "at", "accepted", "last_used"];

/// Examples of fields, by name.
const EXAMPLES: [(&str, &str); 8] = [
    ("owner", "ada"),
    ("repo", "tools"),
    ("package", "cat"),
    ("version", "1.0.0"),
    ("sha256", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ("website_url", "https://example.com"),
    ("vcs_url", "https://example.com/cat.git"),
    ("vcs_tag", "v1.0.0"),
];

/// Adds what is known about the fields of a schema, and of the parts that it consists of.
pub(super) fn schema(name: &str, schema: &mut Value) {
    if let Some(parts) = schema.get_mut("allOf").and_then(Value::as_array_mut) {
        parts.iter_mut().for_each(|part| self::schema(name, part));
    }
    let Some(fields) = schema.get_mut("properties").and_then(Value::as_object_mut) else { return };
    for (field, about) in fields {
        if about["type"] == "string" && TIMES.contains(&field.as_str()) {
            about["format"] = json!("date-time");
        }
        if let Some((_, _, values)) = CHOICES.iter().find(|choice| choice.0 == name && choice.1 == field) {
            about["enum"] = json!(values);
        }
        if name == "NewRepo" && field == "type" {
            about["type"] = json!("string");
            about["enum"] = formats::FORMATS.iter().map(|format| format.name()).collect();
        }
        if let Some((_, example)) = EXAMPLES.iter().find(|(known, _)| known == field)
            && !about["items"].is_object()
            && !about["$ref"].is_string()
        {
            about["examples"] = json!([example]);
        }
    }
}

/// A variable of a path.
pub(super) fn path_parameter(name: &str) -> Value {
    let (meaning, example) = match name {
        "subject" => ("The user or the organization that owns it", "ada"),
        "user" => ("The user", "ada"),
        "org" => ("The organization", "acme"),
        "repo" => ("The repository", "tools"),
        "package" => ("The package", "cat"),
        "version" => ("The version", "1.0.0"),
        "file_path" => {
            ("The path of the file in the repository. Its slashes may be sent as they are or as `%2F`", "bin/cat.txt")
        }
        "team" => ("The team", "devs"),
        "product" => ("The product", "suite"),
        "eula" => ("The EULA", "terms"),
        "entitlement" => ("The id of the entitlement", "e4a1c2"),
        "access_key" => ("The name of the access key", "customer"),
        "token" => ("The id of the token", "4f1c09ab"),
        "tag" => ("The tag", "stable"),
        "license" => ("The name of the license", "House rules"),
        "publisher" => ("The id of the trusted publisher", "4f1c09ab"),
        "invitation" => ("The id of the invitation", "4f1c09ab"),
        "session" => ("The id of the session", "4f1c09ab"),
        "event" => ("The id of the delivery", "msg_0123456789abcdef"),
        "log_name" => ("The name of the log, as the list of logs has it", "downloads-15-01-2026.log.gz"),
        "key_file" => ("The name of the key file, as the index names it", "ada-apk.rsa.pub"),
        "source_subject" => ("The owner of the package to link", "ada"),
        "source_repo" => ("The repository of the package to link", "tools"),
        "source_package" => ("The package to link", "cat"),
        _ => ("A name", "name"),
    };
    json!({"name": name, "in": "path", "required": true, "description": meaning, "example": example,
        "schema": {"type": "string"}})
}

/// A parameter of a query.
pub(super) fn query_parameter(name: &str, meaning: &str) -> Value {
    let schema = match name {
        "start_pos" => json!({"type": "integer", "format": "int64", "minimum": 0}),
        _ if meaning.starts_with("1 ") => json!({"type": "integer", "enum": [0, 1]}),
        _ => json!({"type": "string"}),
    };
    json!({"name": name, "in": "query", "required": false, "description": meaning, "schema": schema})
}
