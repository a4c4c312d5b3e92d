//! Debian's Maven, which takes its own plugins from Debian's packages and nothing from the network.

use std::{
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use suite::{Person, TestHouse};
use tempfile::TempDir;
use tokio::process::Command;

/// The folder of Debian's packages with the files that Maven would download.
const DEBIAN: &str = "/usr/share/maven-repo";

/// The time limit of a run on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Runs are short, so optimizing compilation costs more than it gains.
const JAVA: &str = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

/// A Maven with its own empty folder.
pub(crate) struct Mvn {
    folder: TempDir,
}

impl Mvn {
    /// Creates a Maven that reads `subject/repo` with this person's credentials, if any.
    pub(crate) fn new(house: &TestHouse, repo: &str, who: &Person) -> Self {
        let mvn = Self { folder: tempfile::tempdir().expect("the temporary folder is writable") };
        let url = format!("http://{}/dl/{repo}", house.address);
        mvn.write("settings.xml", settings(&mvn.local(), &url, who));
        mvn
    }

    /// Writes an input file, and returns its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, content).expect("the temporary folder is writable");
        path.display().to_string()
    }

    /// Deploys to `subject/repo/package` and publishes.
    pub(crate) async fn deploy(&self, house: &TestHouse, package: &str, properties: &[(&str, &str)]) -> Ran {
        let url = format!("http://{}/api/maven/{package}/;publish=1", house.address);
        let place = [("url", url.as_str()), ("repositoryId", "packhouse")];
        self.run(&format!("{}:deploy-file", plugin("deploy")), &[&place, properties].concat()).await
    }

    /// Downloads an artifact and its dependencies.
    pub(crate) async fn get(&self, artifact: &str) -> Ran {
        self.run(&format!("{}:get", plugin("dependency")), &[("artifact", artifact)]).await
    }

    /// Runs a goal.
    pub(crate) async fn run(&self, goal: &str, properties: &[(&str, &str)]) -> Ran {
        let mut command = Command::new("mvn");
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        // Java takes the home folder from the system, not from the environment.
        command.env("HOME", self.folder.path()).env("MAVEN_SKIP_RC", "1");
        command.env("MAVEN_OPTS", format!("{JAVA} -Duser.home={}", self.folder.path().display()));
        command.args(["-B", "-q", "-s", "settings.xml", goal]).current_dir(self.folder.path());
        command.args(properties.iter().map(|(name, value)| format!("-D{name}={value}")));
        let running = command.stdin(Stdio::null()).kill_on_drop(true).output();
        let ended = tokio::time::timeout(PATIENCE, running).await.expect("mvn ends");
        let ended =
            ended.unwrap_or_else(|error| panic!("`cargo xtask test` installs mvn, which did not start: {error}"));
        let said = [ended.stdout, ended.stderr].concat();
        Ran { is_success: ended.status.success(), said: String::from_utf8_lossy(&said).into_owned() }
    }

    /// Returns the downloaded file at a path; `None` if it does not exist.
    pub(crate) fn fetched(&self, path: &str) -> Option<String> {
        let bytes = std::fs::read(self.local().join(path)).ok()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn local(&self) -> PathBuf {
        self.folder.path().join("local")
    }
}

/// The result of a run.
pub(crate) struct Ran {
    is_success: bool,
    said: String,
}

impl Ran {
    /// Asserts that it succeeded.
    #[track_caller]
    pub(crate) fn succeeds(self) {
        assert!(self.is_success, "{}", self.said);
    }

    /// Asserts that it failed with this text in its output.
    #[track_caller]
    pub(crate) fn fails_with(self, reason: &str) {
        assert!(!self.is_success && self.said.contains(reason), "{}", self.said);
    }
}

/// Returns the full name of one of Maven's own plugins, with the installed version.
pub(crate) fn plugin(name: &str) -> String {
    let artifact = format!("maven-{name}-plugin");
    format!("org.apache.maven.plugins:{artifact}:{}", version(&artifact))
}

/// Returns the installed version: folders of other versions contain only a pointer to the one with the program.
fn version(artifact: &str) -> String {
    let folder = Path::new(DEBIAN).join("org/apache/maven/plugins").join(artifact);
    let names = folder.read_dir().into_iter().flatten().flatten().map(|entry| entry.file_name());
    let mut versions = names.filter_map(|name| name.into_string().ok());
    let version = versions.find(|version| folder.join(version).join(format!("{artifact}-{version}.jar")).is_file());
    version.unwrap_or_else(|| panic!("`cargo xtask test` installs lib{artifact}-java, which is not in {DEBIAN}"))
}

/// Returns Maven's settings. A missing or wrong checksum fails the run, but only for the repository under test:
/// Debian's has none. With the property `plugins`, plugins come from the repository under test.
fn settings(local: &Path, url: &str, who: &Person) -> String {
    let (local, name, key) = (local.display(), who.name(), who.key());
    let server = match name {
        "" => String::new(),
        name => format!("<server><id>packhouse</id><username>{name}</username><password>{key}</password></server>"),
    };
    let policy = "<enabled>true</enabled><updatePolicy>always</updatePolicy><checksumPolicy>fail</checksumPolicy>";
    let place =
        format!("<id>packhouse</id><url>{url}</url><releases>{policy}</releases><snapshots>{policy}</snapshots>");
    format!(
        "<settings>
  <localRepository>{local}</localRepository>
  <servers>{server}</servers>
  <mirrors><mirror><id>debian</id><mirrorOf>central</mirrorOf><url>file://{DEBIAN}</url></mirror></mirrors>
  <pluginGroups><pluginGroup>org.example</pluginGroup></pluginGroups>
  <profiles>
    <profile>
      <id>packhouse</id>
      <activation><property><name>!plugins</name></property></activation>
      <repositories><repository>{place}</repository></repositories>
    </profile>
    <profile>
      <id>plugins</id>
      <activation><property><name>plugins</name></property></activation>
      <pluginRepositories><pluginRepository>{place}</pluginRepository></pluginRepositories>
    </profile>
  </profiles>
</settings>
"
    )
}
