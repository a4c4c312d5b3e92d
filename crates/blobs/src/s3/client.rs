//! The HTTP client of a bucket: keys, timeouts, retries.

use std::time::Duration;

use object_store::{
    BackoffConfig, ClientOptions, RetryConfig,
    aws::{AmazonS3, AmazonS3Builder},
    client::{HttpClient, HttpConnector, ReqwestConnector},
};

use crate::{
    error::{BoxError, Error},
    location::S3Settings,
};

/// Maximum silence of the store while it receives a part or sends a chunk.
pub(super) const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Maximum silence of the store while it assembles parts or copies an object.
pub(super) const PATIENT_ANSWER_TIMEOUT: Duration = Duration::from_secs(300);

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

/// Builds a client that gives up soon enough for its caller to answer "unavailable".
pub(super) fn build(settings: &S3Settings, answer_timeout: Duration) -> Result<AmazonS3, Error> {
    let builder = match &settings.key {
        Some(key) => AmazonS3Builder::new().with_access_key_id(&key.id).with_secret_access_key(key.secret.reveal()),
        None => AmazonS3Builder::from_env(),
    };
    // Without TLS the signature must cover the bytes; with TLS, another hash of them has no benefit.
    let is_http = settings.endpoint.as_ref().is_some_and(|endpoint| endpoint.starts_with("http:"));
    let builder = builder
        .with_bucket_name(&settings.bucket)
        .with_region(&settings.region)
        .with_unsigned_payload(!is_http)
        // Every store supports plain deletes; not every one supports bulk deletes.
        .with_disable_bulk_delete(true)
        .with_retry(retry())
        .with_client_options(client_options(settings, answer_timeout));
    let builder = match &settings.endpoint {
        Some(endpoint) => builder.with_endpoint(endpoint),
        None => builder,
    };
    builder.build().map_err(|error| unusable(settings, error.into()))
}

/// Builds a client for requests that are already signed, which waits as long as the patient one.
pub(super) fn build_http(settings: &S3Settings) -> Result<HttpClient, Error> {
    let options = client_options(settings, PATIENT_ANSWER_TIMEOUT);
    ReqwestConnector::default().connect(&options).map_err(|error| unusable(settings, error.into()))
}

fn client_options(settings: &S3Settings, answer_timeout: Duration) -> ClientOptions {
    ClientOptions::new()
        .with_allow_http(settings.allow_http)
        .with_connect_timeout(CONNECT_TIMEOUT)
        // A limit on the whole request would cut off long downloads, so the limit is on silence.
        .with_timeout_disabled()
        .with_read_timeout(answer_timeout)
}

/// At most three retries, spread by jitter; none starts after five seconds.
fn retry() -> RetryConfig {
    RetryConfig {
        backoff: BackoffConfig {
            init_backoff: Duration::from_millis(50),
            max_backoff: Duration::from_secs(1),
            base: 2.0,
        },
        max_retries: 3,
        retry_timeout: Duration::from_secs(5),
    }
}

fn unusable(settings: &S3Settings, source: BoxError) -> Error {
    Error::Broken { doing: format!("setting up the bucket `{}`", settings.bucket), source }
}
