use super::*;

/// A nuspec with this id, version and further elements.
pub(in crate::nuget) fn sample(id: &str, version: &str, more: &str) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n\
         <package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\">\n<metadata \
         minClientVersion=\"2.12\"><id>{id}</id><version>{version}</version><authors>Acme</authors>\
         <description>Says &lt;hello&gt;</description>{more}</metadata></package>"
    )
}

#[test]
fn the_metadata_is_read() {
    let more = "<license type=\"expression\">MIT</license><tags>a b, c</tags><requireLicenseAcceptance>true\
                </requireLicenseAcceptance><packageTypes><packageType name=\"DotnetTool\"/></packageTypes>\
                <dependencies><group targetFramework=\".NETStandard2.0\"><dependency id=\"Newtonsoft.Json\" \
                version=\"13.0.1\" exclude=\"Build\"/></group><group targetFramework=\"net8.0\"/></dependencies>";
    let nuspec = Nuspec::parse(sample("Acme.Hello", "1.0", more).as_bytes()).expect("valid");
    assert_eq!((nuspec.id.as_str(), nuspec.version.as_str()), ("Acme.Hello", "1.0"));
    assert_eq!((nuspec.authors.as_str(), nuspec.description.as_str()), ("Acme", "Says <hello>"));
    assert_eq!(nuspec.license_expression.as_deref(), Some("MIT"));
    assert_eq!(nuspec.tags, ["a", "b", "c"]);
    assert!(nuspec.require_license_acceptance);
    assert_eq!((nuspec.package_types[0].as_str(), nuspec.min_client_version.as_deref()), ("DotnetTool", Some("2.12")));
    let [first, second] = &nuspec.dependency_groups[..] else { panic!("two groups") };
    assert_eq!(first.target_framework.as_deref(), Some(".NETStandard2.0"));
    assert_eq!(first.dependencies[0].range, "[13.0.1, )");
    assert!(second.dependencies.is_empty());
    let stored = serde_json::to_vec(&nuspec).expect("plain data");
    assert_eq!(serde_json::from_slice::<Nuspec>(&stored).expect("plain data"), nuspec);
}

#[test]
fn old_nuspecs_have_no_groups_and_other_namespaces() {
    let more = "<dependencies><dependency id=\"A\"/><dependency id=\"A.B\" version=\"[1,2)\"/></dependencies>";
    let text = sample("x", "1.0.0", more).replace("2013/05", "2010/07");
    let nuspec = Nuspec::parse(text.as_bytes()).expect("valid");
    let ranges: Vec<&str> = nuspec.dependency_groups[0].dependencies.iter().map(|d| d.range.as_str()).collect();
    assert_eq!(ranges, ["(, )", "[1.0.0, 2.0.0)"]);
    let bare = Nuspec::parse(b"<package><metadata><id>a</id><version>1</version></metadata></package>");
    assert_eq!(bare.expect("valid").description, "");
}

#[test]
fn other_texts_are_refused() {
    for (text, reason) in [
        (sample("a", "1.0.0.0.0", ""), "it has more than four numbers"),
        (sample("../x", "1.0", ""), "package id '../x' is not valid"),
        (sample("", "1.0", ""), "it has no id"),
        (sample("a", "", ""), "it has no version"),
        (sample("a", "1.0", "<id>b</id>"), "it has the element 'id' twice"),
        (sample("a", "1.0", "<dependencies><dependency/></dependencies>"), "a dependency has no id"),
        (sample("a", "1.0", "<dependencies><dependency id=\"b\" version=\"x\"/></dependencies>"), "version 'x'"),
        (format!("<!DOCTYPE package>{}", sample("a", "1", "")), "it has a document type"),
        ("<project/>".to_owned(), "its root element is not 'package'"),
        ("<package/>".to_owned(), "it needs one 'metadata' element"),
    ] {
        let text = text.replace("<?xml version=\"1.0\" encoding=\"utf-8\"?>\n", "");
        let refusal = Nuspec::parse(text.as_bytes()).expect_err(reason);
        assert!(refusal.starts_with("the nuspec is not valid: ") && refusal.contains(reason), "{refusal}");
    }
}
