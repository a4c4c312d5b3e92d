//! Parses a POM. It must not contradict its path.

use quick_xml::{
    Reader,
    events::{BytesRef, Event},
};

use super::layout::Artifact;

/// Maximum size of a POM in bytes.
pub(super) const POM_BYTES: usize = 4 * 1024 * 1024;

/// Maximum nesting depth of elements.
const DEPTH: usize = 100;

/// The coordinates, packaging and name of a POM. Missing coordinates are inherited from its parent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Pom {
    group_id: String,
    artifact_id: String,
    version: String,
    parent_group_id: String,
    parent_version: String,
    /// The packaging; empty means `jar`.
    pub(super) packaging: String,
    /// The display name.
    pub(super) name: String,
}

impl Pom {
    /// Parses a POM. The error says why it is not valid.
    pub(super) fn parse(content: &[u8]) -> Result<Self, String> {
        let mut pom = Pom::default();
        walk(content, &mut |path, part| pom.append(path, part))?;
        Ok(pom.trimmed())
    }

    /// Returns an error if the POM contradicts its path. Values that are missing or contain a property are accepted.
    pub(super) fn check(&self, artifact: &Artifact<'_>) -> Result<(), String> {
        let [group_id, artifact_id, version] = self.coordinates();
        agree("groupId", group_id, &artifact.group_id())?;
        agree("artifactId", artifact_id, artifact.id)?;
        if version == artifact.file_version() { Ok(()) } else { agree("version", version, artifact.version) }
    }

    /// Group, artifact and version, each empty if neither the POM nor its parent declares it.
    pub(super) fn coordinates(&self) -> [&str; 3] {
        let group_id = own_or(&self.group_id, &self.parent_group_id);
        [group_id, &self.artifact_id, own_or(&self.version, &self.parent_version)]
    }

    fn append(&mut self, path: &[String], part: &ReadText<'_>) -> Result<(), String> {
        if let Some(field) = self.field(path) {
            field.push_str(&part()?);
        }
        Ok(())
    }

    fn field(&mut self, path: &[String]) -> Option<&mut String> {
        let (name, folder) = path.split_last()?;
        match (folder, name.as_str()) {
            ([_], "groupId") => Some(&mut self.group_id),
            ([_], "artifactId") => Some(&mut self.artifact_id),
            ([_], "version") => Some(&mut self.version),
            ([_], "packaging") => Some(&mut self.packaging),
            ([_], "name") => Some(&mut self.name),
            ([_, parent], "groupId") if parent == "parent" => Some(&mut self.parent_group_id),
            ([_, parent], "version") if parent == "parent" => Some(&mut self.parent_version),
            _ => None,
        }
    }

    fn trimmed(self) -> Self {
        let trim = |text: String| text.trim().to_owned();
        Self {
            group_id: trim(self.group_id),
            artifact_id: trim(self.artifact_id),
            version: trim(self.version),
            parent_group_id: trim(self.parent_group_id),
            parent_version: trim(self.parent_version),
            packaging: trim(self.packaging),
            name: trim(self.name),
        }
    }
}

/// A piece of an element's text, decoded only on demand.
pub(super) type ReadText<'a> = dyn Fn() -> Result<String, String> + 'a;

/// Receives each piece of text, with the names of the enclosing elements.
type See<'a> = dyn FnMut(&[String], &ReadText<'_>) -> Result<(), String> + 'a;

/// Parses a whole POM. The error says why it is not valid.
pub(super) fn walk(content: &[u8], see: &mut See<'_>) -> Result<(), String> {
    if content.len() > POM_BYTES {
        return Err("the POM is larger than 4 MiB".to_owned());
    }
    let mut reader = Reader::from_reader(content);
    reader.config_mut().expand_empty_elements = true;
    let mut path: Vec<String> = Vec::new();
    let mut is_read = false;
    let mut tell = |path: &[String], part: &ReadText<'_>| match path {
        [] if part()?.trim().is_empty() => Ok(()),
        [] => Err("the POM is not an XML document".to_owned()),
        path => see(path, part),
    };
    loop {
        match reader.read_event() {
            Err(_) => return Err(format!("the POM is not well-formed XML at byte {}", reader.error_position())),
            Ok(Event::Start(element)) => {
                path.push(text(element.local_name().as_ref()));
                check_path(&path, is_read)?;
                is_read = true;
            }
            Ok(Event::End(_)) => drop(path.pop()),
            Ok(Event::Text(part)) => tell(&path, &|| Ok(text(&part)))?,
            Ok(Event::CData(part)) => tell(&path, &|| Ok(text(&part)))?,
            Ok(Event::GeneralRef(reference)) => tell(&path, &|| resolve(&reference))?,
            // A document type can declare entities; Maven does not support them either.
            Ok(Event::DocType(_)) => {
                return Err("the POM has a document type, which Maven does not read".to_owned());
            }
            Ok(Event::Eof) if is_read && path.is_empty() => return Ok(()),
            Ok(Event::Eof) => return Err("the POM ends too early".to_owned()),
            Ok(Event::Decl(_) | Event::PI(_) | Event::Comment(_) | Event::Empty(_)) => {}
        }
    }
}

fn check_path(path: &[String], is_read: bool) -> Result<(), String> {
    match path {
        [root] if root != "project" || is_read => Err("the POM is not one `project` element".to_owned()),
        _ if path.len() > DEPTH => Err("the POM is nested too deeply".to_owned()),
        _ => Ok(()),
    }
}

/// Decodes a text. Old POMs use one byte per character; the characters that matter here are the same in all such
/// encodings.
fn text(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn resolve(reference: &BytesRef<'_>) -> Result<String, String> {
    let name: &[u8] = reference.as_ref();
    let character = match name {
        b"amp" => Some('&'),
        b"lt" => Some('<'),
        b"gt" => Some('>'),
        b"quot" => Some('"'),
        b"apos" => Some('\''),
        _ => reference.resolve_char_ref().ok().flatten(),
    };
    character.map(String::from).ok_or_else(|| "the POM names itself with an unknown entity".to_owned())
}

fn own_or<'a>(own: &'a str, parents: &'a str) -> &'a str {
    if own.is_empty() { parents } else { own }
}

fn agree(what: &str, said: &str, expected: &str) -> Result<(), String> {
    if said.is_empty() || said == expected || said.contains("${") {
        return Ok(());
    }
    let said: String = said.chars().take(220).collect();
    Err(format!("the POM's {what} is `{said}`, but its path says `{expected}`"))
}

#[cfg(test)]
mod tests {
    use model::file_path::FilePath;
    use proptest::prelude::*;

    use super::*;

    fn check_at(path: &str, content: &str) -> Result<(), String> {
        let path = FilePath::parse(path).expect("a path");
        Pom::parse(content.as_bytes())?.check(&Artifact::parse(&path).expect("in layout"))
    }

    fn check(content: &str) -> Result<(), String> {
        check_at("org/x/lib/1.0/lib-1.0.pom", &format!("<project>{content}</project>"))
    }

    #[test]
    fn coordinates_that_agree_pass() {
        let own = "<groupId>org.x</groupId><artifactId> lib\n</artifactId><version>1.0</version>";
        assert_eq!(check(own), Ok(()));
        let document =
            format!("\u{feff}<?xml version=\"1.0\"?>\n<!-- a -->\n<m:project xmlns:m=\"m\">{own}</m:project>\n");
        assert_eq!(check_at("org/x/lib/1.0/lib-1.0.pom", &document), Ok(()));
    }

    #[test]
    fn coordinates_can_be_the_parents() {
        let parent = "<parent><groupId>org.x</groupId><artifactId>root</artifactId><version>1.0</version></parent>";
        assert_eq!(check(&format!("{parent}<artifactId>lib</artifactId>")), Ok(()));
        let other = parent.replace("1.0", "2.0");
        assert!(check(&format!("{other}<artifactId>lib</artifactId>")).is_err());
        assert_eq!(check(&format!("{other}<artifactId>lib</artifactId><version>1.0</version>")), Ok(()));
    }

    #[test]
    fn each_contradiction_is_named() {
        let reason = |content: &str| check(content).expect_err("a contradiction");
        assert_eq!(reason("<groupId>org.y</groupId>"), "the POM's groupId is `org.y`, but its path says `org.x`");
        assert_eq!(reason("<artifactId>bib</artifactId>"), "the POM's artifactId is `bib`, but its path says `lib`");
        assert_eq!(reason("<version>1.1</version>"), "the POM's version is `1.1`, but its path says `1.0`");
    }

    #[test]
    fn properties_cannot_be_judged() {
        assert_eq!(check("<groupId>${group}</groupId><version>${revision}${changelist}</version>"), Ok(()));
        assert!(check("<artifactId>bib</artifactId><version>${revision}</version>").is_err());
    }

    #[test]
    fn a_snapshots_pom_names_the_version_or_the_build() {
        let check = |version: &str| {
            let path = "x/lib/1-SNAPSHOT/lib-1-20260101.120000-3.pom";
            check_at(path, &format!("<project><version>{version}</version></project>"))
        };
        assert_eq!(check("1-SNAPSHOT"), Ok(()));
        assert_eq!(check("1-20260101.120000-3"), Ok(()));
        assert!(check("1-20260101.120000-4").is_err());
        assert!(check("1").is_err());
    }

    #[test]
    fn coordinates_of_others_are_not_the_poms_own() {
        let others = "<dependencies><dependency><groupId>a</groupId><version>9</version></dependency></dependencies>\
            <build><version>9</version></build><parent><relativePath/><x><version>9</version></x></parent>";
        assert_eq!(check(others), Ok(()));
    }

    #[test]
    fn a_text_is_read_in_all_its_parts() {
        assert_eq!(check("<groupId>org<!-- . -->.<![CDATA[x]]></groupId><artifactId>l&#105;b</artifactId>"), Ok(()));
        let pom = Pom::parse(b"<project><packaging>maven-plugin</packaging><name>R&amp;D \xe9</name></project>");
        let pom = pom.expect("a POM");
        assert_eq!((pom.packaging.as_str(), pom.name.as_str()), ("maven-plugin", "R&D \u{e9}"));
    }

    #[test]
    fn entities_are_not_expanded() {
        assert!(check("<groupId>&x;</groupId>").is_err());
        assert_eq!(check("<description>&oslash;&nbsp;</description>"), Ok(()));
        let document = "<!DOCTYPE project [<!ENTITY x \"org.x\">]><project><groupId>&x;</groupId></project>";
        assert!(Pom::parse(document.as_bytes()).is_err());
    }

    #[test]
    fn what_is_no_pom_is_refused() {
        for content in [
            "",
            "pom",
            "{}",
            "<project>",
            "<project></project",
            "<project><a></project>",
            "<project></a></project>",
            "</project>",
            "<project/><project/>",
            "<project/>x",
            "<metadata/>",
            "<project><name>a & b</name></project>",
            "<project><![CDATA[</project>",
            "PK\u{3}\u{4}",
        ] {
            assert!(Pom::parse(content.as_bytes()).is_err(), "{content}");
        }
    }

    #[test]
    fn size_and_depth_are_bounded() {
        let nested = |depth: usize| format!("<project>{}{}</project>", "<a>".repeat(depth), "</a>".repeat(depth));
        assert!(Pom::parse(nested(99).as_bytes()).is_ok());
        assert!(Pom::parse(nested(100).as_bytes()).is_err());
        let sized = |bytes: usize| format!("<project>{}</project>", " ".repeat(bytes - 19));
        assert!(Pom::parse(sized(POM_BYTES).as_bytes()).is_ok());
        assert!(Pom::parse(sized(POM_BYTES + 1).as_bytes()).is_err());
    }

    proptest! {
        #[test]
        fn any_bytes_can_be_read(content: Vec<u8>) {
            prop_assert!(Pom::parse(&content).is_err());
        }

        #[test]
        fn any_markup_can_be_read(
            content in "(<project>|</project>|<version>|</version>|<!--|-->|<!\\[CDATA\\[|]]>|&|;|<|>|a|/){0,12}",
        ) {
            if let Ok(pom) = Pom::parse(content.as_bytes()) {
                prop_assert!(content.contains("<project"), "{:?}", pom);
            }
        }
    }
}
