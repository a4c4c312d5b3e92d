//! Tests of `upload`.

use super::*;

fn file(field: &str, file_name: &str) -> UploadedFile {
    let sha256 = Digest::from_bytes([7; 32]);
    UploadedFile { field: field.to_owned(), file_name: file_name.to_owned(), sha256 }
}

fn form(changes: &[(&str, &str)]) -> UploadForm {
    let digest = "07".repeat(32);
    let mut fields: Vec<(String, String)> = [
        (":action", "file_upload"),
        ("protocol_version", "1"),
        ("name", "Hello.Pkg"),
        ("version", "1.0.0"),
        ("filetype", "bdist_wheel"),
        ("sha256_digest", &digest),
        ("summary", "says hello"),
        ("license", "UNKNOWN"),
    ]
    .map(|(name, value)| (name.to_owned(), value.to_owned()))
    .into();
    for (name, value) in changes {
        fields.retain(|(field, _)| field != name);
        fields.push(((*name).to_owned(), (*value).to_owned()));
    }
    UploadForm { fields, files: vec![file("content", "hello_pkg-1.0-py3-none-any.whl")] }
}

#[test]
fn a_form_names_one_file() {
    let mut form = form(&[]);
    form.files.push(file("gpg_signature", "hello_pkg-1.0-py3-none-any.whl.asc"));
    let upload = form.check().expect("valid");
    let path = "packages/hello-pkg/1.0/hello_pkg-1.0-py3-none-any.whl";
    assert_eq!((upload.path.as_str(), upload.content), (path, 0));
    assert_eq!(upload.signature.map(|(position, path)| (position, path.to_string())), Some((1, format!("{path}.asc"))));
    assert_eq!((upload.summary.as_deref(), upload.license), (Some("says hello"), None));
}

#[test]
fn fields_that_contradict_the_file_are_refused() {
    for (name, value, reason) in [
        (":action", "submit", "field ':action' is 'submit', but it must be 'file_upload'"),
        ("protocol_version", "2", "field 'protocol_version' is '2', but it must be '1'"),
        ("filetype", "sdist", "field 'filetype' is 'sdist', but it must be 'bdist_wheel'"),
        ("filetype", "bdist_wininst", "field 'filetype' is 'bdist_wininst', but it must be 'bdist_wheel'"),
        ("name", "", "the form has no field 'name'"),
        ("version", "", "the form has no field 'version'"),
        ("name", "x", "the form is not valid: it names the project 'x', but the file name says 'hello-pkg'"),
        ("version", "2", "the form is not valid: it names the version '2', but the file name says '1.0'"),
        ("sha256_digest", "ff", "field 'sha256_digest': a SHA-256 digest has 64 hexadecimal digits"),
    ] {
        assert_eq!(form(&[(name, value)]).check(), Err(reason.to_owned()));
    }
    let other = "ff".repeat(32);
    let reason = "the file does not have the SHA-256 that the form names";
    assert_eq!(form(&[("sha256_digest", &other)]).check(), Err(reason.to_owned()));
    assert!(form(&[("version", "1.0/../..")]).check().is_err());
    assert!(form(&[("name", "simple")]).check().is_err());
}

#[test]
fn a_form_has_one_content() {
    let mut none = form(&[]);
    none.files.clear();
    assert_eq!(none.check(), Err("the form has no file in its field 'content'".to_owned()));
    let mut two = form(&[]);
    two.files.push(two.files[0].clone());
    assert_eq!(two.check(), Err("the form has two files in its field 'content'".to_owned()));
    let mut twice = form(&[]);
    twice.fields.push(("name".to_owned(), "other".to_owned()));
    assert_eq!(twice.check(), Err("the form has the field 'name' twice".to_owned()));
}

#[test]
fn names_that_leave_the_folder_are_refused() {
    for name in ["../a-1.0.tar.gz", "a%2Fb-1.0.tar.gz", "a/b-1.0.tar.gz", "hello_pkg-1.0.exe", "hello_pkg-1.0.egg"] {
        let mut form = form(&[]);
        form.files[0].file_name = name.to_owned();
        assert!(form.check().expect_err(name).contains("is not valid"), "{name}");
    }
    let mut signed = form(&[]);
    signed.files.push(file("gpg_signature", "../x.asc"));
    assert!(signed.check().is_err());
}

#[test]
fn ten_thousand_classifiers_are_refused() {
    let mut form = form(&[]);
    form.fields.extend((0..10_000).map(|number| ("classifiers".to_owned(), number.to_string())));
    assert_eq!(form.check(), Err("the form has more than 5000 fields".to_owned()));
}
