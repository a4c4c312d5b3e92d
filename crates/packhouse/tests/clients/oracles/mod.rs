//! The order of versions against that of each ecosystem's own program: 10,000 random pairs, in one process.

mod programs;
mod random;
mod versions;

use std::cmp::Ordering;

use suite::TestHouse;

use self::{
    programs::Oracle,
    random::{Random, Text},
};

/// The number of pairs.
const PAIRS: usize = 10_000;

/// Compares random pairs in the order of a format and in that of its oracle. Where the oracle sees no difference, the
/// format may decide by the texts.
async fn compare(kind: &str, version: fn(&mut Text<'_>), oracle: Oracle) {
    let house = TestHouse::start().await;
    let format = house.app().house().format(kind);
    assert_eq!(format.name(), kind);
    let mut random = Random::new(PAIRS as u64);
    let mut made = || {
        let (left, right) = random.pair();
        let [left, right] = [left, right].map(|choices| {
            let mut text = Text::new(&choices);
            version(&mut text);
            text.text
        });
        (left, right)
    };
    let pairs: Vec<(String, String)> = (0..PAIRS).map(|_| made()).collect();
    let orders = oracle.run(&pairs).await;
    let mut wrong = Vec::new();
    for ((left, right), expected) in pairs.iter().zip(orders) {
        let found = format.compare(left, right);
        let is_right = found == expected || (expected.is_eq() && found == left.cmp(right));
        if !is_right || format.compare(right, left) != found.reverse() {
            wrong.push(format!("{left} {} {right}, not {}", sign(expected), sign(found)));
        }
    }
    let shown = wrong.iter().take(40).cloned().collect::<Vec<_>>().join("\n");
    assert!(wrong.is_empty(), "{} of {PAIRS} pairs differ:\n{shown}", wrong.len());
}

fn sign(order: Ordering) -> char {
    match order {
        Ordering::Less => '<',
        Ordering::Equal => '=',
        Ordering::Greater => '>',
    }
}

#[tokio::test]
async fn pypi_versions_are_in_the_order_of_packaging() {
    compare("pypi", versions::pypi, Oracle::python("PACKHOUSE_TEST_PYTHON", include_str!("programs/pypi.py"))).await;
}

#[tokio::test]
async fn npm_versions_are_in_the_order_of_semver() {
    compare("npm", versions::semantic, Oracle::node(include_str!("programs/npm.js"))).await;
}

#[tokio::test]
async fn crate_versions_are_in_the_order_of_semver() {
    compare("cargo", versions::semantic, Oracle::node(include_str!("programs/npm.js"))).await;
}

#[tokio::test]
async fn go_versions_are_in_the_order_of_the_go_command() {
    compare("go", versions::go, Oracle::go(include_str!("programs/go.go"))).await;
}

#[tokio::test]
async fn nuget_versions_are_in_the_order_of_dotnet() {
    compare("nuget", versions::nuget, Oracle::dotnet(include_str!("programs/nuget.cs")).await).await;
}

#[tokio::test]
async fn debian_versions_are_in_the_order_of_dpkg() {
    compare("debian", versions::debian, Oracle::of("perl", "debian.pl", include_str!("programs/debian.pl"))).await;
}

#[tokio::test]
async fn rpm_versions_are_in_the_order_of_rpm() {
    compare("rpm", versions::rpm, Oracle::rpm()).await;
}

#[tokio::test]
async fn arch_versions_are_in_the_order_of_pacman() {
    compare("arch", versions::arch, Oracle::of("python3", "arch.py", include_str!("programs/arch.py"))).await;
}

#[tokio::test]
async fn gem_versions_are_in_the_order_of_ruby() {
    let ruby = || Oracle::of("ruby", "rubygems.rb", include_str!("programs/rubygems.rb"));
    compare("rubygems", versions::rubygems, ruby()).await;
    compare("vagrant", versions::rubygems, ruby()).await;
}

#[tokio::test]
async fn composer_versions_are_in_the_order_of_composer() {
    compare("composer", versions::composer, Oracle::of("php", "composer.php", include_str!("programs/composer.php")))
        .await;
}

#[tokio::test]
async fn conan_versions_are_in_the_order_of_conan() {
    compare("conan", versions::conan, Oracle::python("PACKHOUSE_TEST_CONAN", include_str!("programs/conan.py"))).await;
}

#[tokio::test]
async fn conda_versions_are_in_the_order_of_rattler() {
    compare("conda", versions::conda, Oracle::python("PACKHOUSE_TEST_PYTHON", include_str!("programs/conda.py"))).await;
}

#[tokio::test]
async fn cran_versions_are_in_the_order_of_r() {
    compare("cran", versions::cran, Oracle::of("Rscript", "cran.R", include_str!("programs/cran.R"))).await;
}

#[tokio::test]
async fn chart_versions_are_in_the_order_of_helm() {
    compare("helm", versions::helm, Oracle::helm(include_str!("programs/helm.py"))).await;
}
