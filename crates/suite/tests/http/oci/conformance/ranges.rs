//! Parts of blobs, and blobs without content.

use crate::oci::tools::{app, digest, push_blob, with_images};

#[tokio::test]
async fn range_requests() {
    let (_house, ada) = with_images().await;
    let whole: Vec<u8> = (0..2048_u32).map(|number| u8::try_from(number % 251).expect("a byte")).collect();
    let at = app(&format!("blobs/{}", push_blob(&ada, "ada/img/app", &whole).await));
    for (range, start, end) in [
        ("bytes=500-1499", 500, 1500),
        ("bytes=500-", 500, 2048),
        ("bytes=-500", 1548, 2048),
        ("bytes=2000-5000", 2000, 2048),
    ] {
        let part = ada.get(&at).header("range", range).await.expect(206);
        assert_eq!(part.body, whole[start..end], "{range}");
        assert_eq!(part.header("content-range"), format!("bytes {start}-{}/2048", end - 1));
        assert_eq!(part.header("content-length"), (end - start).to_string());
    }
    ada.get(&at).header("range", "bytes=5000-10000").await.expect(416);
}

#[tokio::test]
async fn blobs_without_content() {
    let (_house, ada) = with_images().await;
    for text in ["", "{}"] {
        let sum = push_blob(&ada, "ada/img/app", text).await;
        let head = ada.head(&app(&format!("blobs/{sum}"))).await.expect(200);
        assert_eq!(head.header("content-length"), text.len().to_string());
        let got = ada.get(&app(&format!("blobs/{sum}"))).await.expect(200);
        assert_eq!((got.text().as_str(), digest(text)), (text, sum.clone()));
        ada.post(&app(&format!("blobs/uploads/?digest={sum}"))).body(text.to_owned()).await.expect(201);
        let location = ada.post(&app("blobs/uploads/")).await.expect(202).header("location").to_owned();
        ada.patch(&format!("/{location}")).body(text.to_owned()).await.expect(202);
        ada.put(&format!("/{location}?digest={sum}")).await.expect(201);
    }
}
