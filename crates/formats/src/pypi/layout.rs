//! Paths in a repository: `packages/<project>/<version>/<file>`, and the pages below `simple/`.

use model::file_path::FilePath;

use super::{file_name::DistributionName, name::ProjectName};

/// Names that follow the name of a distribution for files beside it: metadata, signature and attestations.
const BESIDE: &[&str] = &[".metadata", ".asc", ".provenance"];

/// The two forms of a page.
const PAGES: &[&str] = &["index.json", "index.html"];

/// The kind of a path in a repository of this format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PypiPath {
    /// A distribution file.
    Distribution(DistributionName),
    /// A file beside a distribution.
    Beside(DistributionName),
    /// A page of a project.
    ProjectPage(ProjectName),
    /// The list of all projects.
    ProjectList,
}

/// The path of a distribution file.
pub fn path_of(distribution: &DistributionName) -> Result<FilePath, String> {
    let DistributionName { file_name, project, version, .. } = distribution;
    FilePath::parse_new(&format!("packages/{project}/{version}/{file_name}")).map_err(|error| error.to_string())
}

/// The paths of a project's pages: JSON and HTML.
pub fn pages_of(project: &ProjectName) -> [String; 2] {
    [format!("simple/{project}/index.json"), format!("simple/{project}/index.html")]
}

/// Classifies a path; returns the reason if no file may be there.
pub fn classify(path: &FilePath) -> Result<PypiPath, String> {
    let segments: Vec<&str> = path.as_str().split('/').collect();
    match segments[..] {
        ["simple", page] if PAGES.contains(&page) => Ok(PypiPath::ProjectList),
        ["simple", project, page] if PAGES.contains(&page) => {
            normal_name(project).map(PypiPath::ProjectPage).ok_or_else(|| outside(path))
        }
        ["packages", _, _, file] => classify_file(path, file),
        _ => Err(outside(path)),
    }
}

fn classify_file(path: &FilePath, file: &str) -> Result<PypiPath, String> {
    let main = BESIDE.iter().find_map(|suffix| file.strip_suffix(suffix));
    let distribution = DistributionName::parse(main.unwrap_or(file))?;
    let folder = format!("packages/{}/{}/", distribution.project, distribution.version);
    if path.folder_prefix() != folder {
        return Err(format!("the file '{file}' belongs into the folder '{folder}'"));
    }
    Ok(if main.is_some() { PypiPath::Beside(distribution) } else { PypiPath::Distribution(distribution) })
}

/// Returns the name if it is in its normal form.
fn normal_name(text: &str) -> Option<ProjectName> {
    ProjectName::parse(text).ok().filter(|name| name.normalized() == text)
}

fn outside(path: &FilePath) -> String {
    format!("'{path}' is not a path of a PyPI repository: files are at packages/<project>/<version>/<file>")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Result<PypiPath, String> {
        classify(&FilePath::parse(text).expect("a path"))
    }

    #[test]
    fn files_are_in_the_folder_of_their_version() {
        let path = "packages/hello-pkg/1.0rc1/Hello_Pkg-1.0RC1.tar.gz";
        let Ok(PypiPath::Distribution(name)) = at(path) else { panic!("a distribution") };
        assert_eq!(path_of(&name).expect("a path").as_str(), path);
        assert!(matches!(at(&format!("{path}.asc")), Ok(PypiPath::Beside(_))));
        assert!(matches!(at("packages/a/1/a-1-py3-none-any.whl.metadata"), Ok(PypiPath::Beside(_))));
        assert!(at("packages/hello-pkg/1.0/Hello_Pkg-1.0RC1.tar.gz").is_err());
        assert!(at("packages/Hello_Pkg/1.0rc1/Hello_Pkg-1.0RC1.tar.gz").is_err());
    }

    #[test]
    fn pages_are_below_simple() {
        let Ok(PypiPath::ProjectPage(name)) = at("simple/hello-pkg/index.json") else { panic!("a page") };
        assert_eq!(pages_of(&name), ["simple/hello-pkg/index.json", "simple/hello-pkg/index.html"]);
        assert_eq!(at("simple/index.html"), Ok(PypiPath::ProjectList));
        for bad in ["simple/Hello_Pkg/index.json", "simple/a/b", "a", "simple/a", "packages/a/a-1.tar.gz"] {
            assert!(at(bad).is_err(), "{bad}");
        }
    }
}
