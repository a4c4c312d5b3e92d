//! The form that twine, uv and poetry upload a distribution file with.

#[cfg(test)]
mod tests;

use model::{digest::Digest, file_path::FilePath};

use super::{file_name::DistributionName, layout, metadata};
use crate::readers::quoted;

/// The maximum number of fields in a form; classifiers and requirements are repeated.
const FIELDS: usize = 5_000;

/// A form whose files are received and hashed already.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UploadForm {
    /// The names and values of all text fields.
    pub fields: Vec<(String, String)>,
    /// The files.
    pub files: Vec<UploadedFile>,
}

/// A file in a form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadedFile {
    /// The name of the form's field.
    pub field: String,
    /// The name of the file.
    pub file_name: String,
    /// The digest of its content.
    pub sha256: Digest,
}

/// A checked upload of one distribution file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// The file.
    pub distribution: DistributionName,
    /// Its path in the repository.
    pub path: FilePath,
    /// The position of its content in the form's files.
    pub content: usize,
    /// The position of its signature in the form's files, and the signature's path.
    pub signature: Option<(usize, FilePath)>,
    /// One line about the project, for an empty profile.
    pub summary: Option<String>,
    /// The licence, for an empty profile.
    pub license: Option<String>,
    /// The readme, for an empty profile.
    pub description: Option<String>,
    /// The media type of the readme.
    pub description_type: Option<String>,
    /// The home page, for an empty profile.
    pub home_page: Option<String>,
}

impl UploadForm {
    /// Checks the form; the error is for a response with status 400.
    pub fn check(&self) -> Result<Upload, String> {
        if self.fields.len() > FIELDS {
            return Err(format!("the form has more than {FIELDS} fields"));
        }
        self.expect(":action", "file_upload")?;
        if self.field("protocol_version")?.is_some() {
            self.expect("protocol_version", "1")?;
        }
        let content = self.file("content")?.ok_or("the form has no file in its field 'content'")?;
        let distribution = DistributionName::parse(&self.files[content].file_name)?;
        self.check_distribution(&distribution)?;
        self.check_digest(&self.files[content])?;
        let path = layout::path_of(&distribution)?;
        let signature = self.signature(&path)?;
        let text = |name: &str| Ok::<_, String>(self.field(name)?.filter(|text| *text != "UNKNOWN").map(str::to_owned));
        Ok(Upload {
            distribution,
            path,
            content,
            signature,
            summary: text("summary")?,
            license: text("license_expression")?.or(text("license")?),
            description: text("description")?,
            description_type: text("description_content_type")?,
            home_page: text("home_page")?,
        })
    }

    fn check_distribution(&self, distribution: &DistributionName) -> Result<(), String> {
        let name = self.field("name")?.ok_or("the form has no field 'name'")?;
        let version = self.field("version")?.ok_or("the form has no field 'version'")?;
        metadata::check(name, version, distribution).map_err(|reason| format!("the form is not valid: {reason}"))?;
        let expected = if distribution.is_wheel() { "bdist_wheel" } else { "sdist" };
        self.expect("filetype", expected)
    }

    fn check_digest(&self, file: &UploadedFile) -> Result<(), String> {
        let Some(text) = self.field("sha256_digest")? else { return Ok(()) };
        let stated: Digest = text.parse().map_err(|error| format!("field 'sha256_digest': {error}"))?;
        if stated == file.sha256 {
            Ok(())
        } else {
            Err("the file does not have the SHA-256 that the form names".to_owned())
        }
    }

    fn signature(&self, path: &FilePath) -> Result<Option<(usize, FilePath)>, String> {
        let Some(position) = self.file("gpg_signature")? else { return Ok(None) };
        let path = path.signature().ok_or("the name of the signature is too long")?;
        if self.files[position].file_name != path.file_name() {
            return Err(format!("the signature must be named '{}'", path.file_name()));
        }
        Ok(Some((position, path)))
    }

    fn expect(&self, name: &str, expected: &str) -> Result<(), String> {
        match self.field(name)? {
            Some(value) if value == expected => Ok(()),
            Some(value) => Err(format!("field '{name}' is '{}', but it must be '{expected}'", quoted(value))),
            None => Err(format!("the form has no field '{name}'")),
        }
    }

    /// The value of a field that may stand once; `None` if it is missing or empty.
    fn field(&self, name: &str) -> Result<Option<&str>, String> {
        let mut values = self.fields.iter().filter(|(field, _)| field == name).map(|(_, value)| value.as_str());
        let first = values.next();
        match values.next() {
            Some(_) => Err(format!("the form has the field '{name}' twice")),
            None => Ok(first.filter(|value| !value.is_empty())),
        }
    }

    /// The position of a file that may stand once.
    fn file(&self, field: &str) -> Result<Option<usize>, String> {
        let mut positions = self.files.iter().enumerate().filter(|(_, file)| file.field == field);
        let first = positions.next();
        match positions.next() {
            Some(_) => Err(format!("the form has two files in its field '{field}'")),
            None => Ok(first.map(|(position, _)| position)),
        }
    }
}
