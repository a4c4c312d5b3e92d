//! R.

use suite::archives::tar_gz;

use crate::{client::Machine, pages::follow, scene::Scene, zip::zip};

#[tokio::test]
async fn the_page_of_r_can_be_followed() {
    let scene = Scene::acme().await;
    let mut machine = Machine::new();
    for version in ["1.0", "1.1"] {
        machine.write(&format!("work/hellotiny_{version}.tar.gz"), source(version));
    }
    let binary = description("1.0") + "Built: R 4.5.0; ; 2026-11-16 10:00:00 UTC; windows\n";
    machine.write("work/hellotiny_1.0.zip", zip(&[("hellotiny/DESCRIPTION", &binary)]));
    machine.set("R_LIBS_USER", machine.path("lib").display().to_string());
    machine.write("lib/.empty", "");
    follow(&scene, &mut machine, "docs/clients/cran.md").await;
}

/// A source package with one function.
fn source(version: &str) -> Vec<u8> {
    tar_gz(&[
        ("hellotiny/DESCRIPTION", description(version).as_bytes()),
        ("hellotiny/NAMESPACE", b"export(hello)\n"),
        ("hellotiny/R/hello.R", b"hello <- function() \"hello\"\n"),
    ])
}

fn description(version: &str) -> String {
    format!(
        "Package: hellotiny\nVersion: {version}\nTitle: Of Ada\nDescription: A package of Ada.\nLicense: MIT\n\
         Author: Ada\nMaintainer: Ada <ada@example.com>\nNeedsCompilation: no\n"
    )
}
