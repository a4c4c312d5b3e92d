//! The parts of HTTP that the API and the pages share: the app, the caller of a request, names in paths, bodies, headers
//! and failures.

pub mod app;
pub mod attribute_values;
pub mod boxed;
pub mod caller;
pub mod challenge;
pub mod error;
pub mod json;
pub mod multipart;
pub mod paging;
pub mod path_names;
pub mod quota;
pub mod refusal;
pub mod same_site;
pub mod signed_url;
pub mod signing_options;
pub mod upload_headers;

pub use app::App;
pub use edge::{Client, RequestId};
