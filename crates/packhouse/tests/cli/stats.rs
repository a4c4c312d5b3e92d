//! `packhouse stats`: bar charts of downloads.

use std::time::Duration;

use serde_json::json;

use crate::scene::Scene;

#[tokio::test]
async fn downloads_are_drawn_as_bars() {
    let scene = Scene::with_cat().await;
    assert_eq!(scene.told(&["stats", "ada/tools/cat"]).await, "no downloads on these days\nexit 0");
    for _ in 0..3 {
        scene.server.anyone().download("/ada/tools/cat.txt").await.expect(200);
    }
    let counted = "/packages/ada/tools/cat/stats/total_downloads";
    while scene.ada.get(counted).await.expect(200).json()["records"] != json!([{"version": "1.0", "count": 3}]) {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }

    let by_version = scene.told(&["stats", "ada/tools/cat", "--by", "version"]).await;
    assert_eq!(by_version, format!("1.0  3  {}\nexit 0", "█".repeat(60)));
    let by_country = scene.told(&["stats", "ada/tools/cat/1.0", "--by", "country"]).await;
    assert_eq!(by_country, format!("ZZ  3  {}\nexit 0", "█".repeat(60)));
    let by_day = scene.run(&["stats", "ada/tools/cat"]).await.succeeds();
    assert!(by_day.ends_with(&format!("  3  {}", "█".repeat(60))), "{by_day}");
}
