//! The requests of Vagrant as a table: first files, then the calls of `vagrant cloud`, then documents.

use operations::format::{NativeMethod, NativeRoute};

use super::{cloud, native};

/// Who has signed in.
pub(super) const AUTHENTICATE: &str = "authenticate";
/// The boxes of the repository.
pub(super) const BOXES_OF: &str = "user/{owner}";
/// A new box.
pub(super) const CREATE: &str = "boxes";
/// A box.
pub(super) const BOX: &str = "box/{owner}/{name}";
/// A new version.
pub(super) const VERSIONS: &str = "box/{owner}/{name}/versions";
/// The upload of a box.
pub(super) const UPLOAD: &str = "box/{owner}/{name}/version/{version}/provider/{provider}/upload";
/// The same for an architecture.
pub(super) const UPLOAD_OF: &str = "box/{owner}/{name}/version/{version}/provider/{provider}/{architecture}/upload";

const VERSION: &str = "box/{owner}/{name}/version/{version}";
const RELEASE: &str = "box/{owner}/{name}/version/{version}/release";
const REVOKE: &str = "box/{owner}/{name}/version/{version}/revoke";
const PROVIDERS: &str = "box/{owner}/{name}/version/{version}/providers";
const PROVIDER: &str = "box/{owner}/{name}/version/{version}/provider/{provider}";
const PROVIDER_OF: &str = "box/{owner}/{name}/version/{version}/provider/{provider}/{architecture}";
const DIRECT: &str = "box/{owner}/{name}/version/{version}/provider/{provider}/upload/direct";
const DIRECT_OF: &str = "box/{owner}/{name}/version/{version}/provider/{provider}/{architecture}/upload/direct";

/// The table.
pub(super) static ROUTES: &[NativeRoute] = &[
    NativeRoute { method: NativeMethod::Get, path: "{name}/{version}/{provider}.box", request: native::read },
    NativeRoute { method: NativeMethod::Put, path: "{name}/{version}/{provider}.box", request: native::upload },
    NativeRoute {
        method: NativeMethod::Put,
        path: "{name}/{version}/{provider}/{architecture}.box",
        request: native::upload,
    },
    NativeRoute { method: NativeMethod::Get, path: AUTHENTICATE, request: cloud::authenticate },
    NativeRoute { method: NativeMethod::Get, path: BOXES_OF, request: cloud::list },
    NativeRoute { method: NativeMethod::Post, path: CREATE, request: cloud::create },
    NativeRoute { method: NativeMethod::Get, path: BOX, request: cloud::show },
    NativeRoute { method: NativeMethod::Put, path: BOX, request: cloud::take },
    NativeRoute { method: NativeMethod::Delete, path: BOX, request: cloud::delete },
    NativeRoute { method: NativeMethod::Post, path: VERSIONS, request: cloud::take },
    NativeRoute { method: NativeMethod::Get, path: VERSION, request: cloud::show },
    NativeRoute { method: NativeMethod::Put, path: VERSION, request: cloud::take },
    NativeRoute { method: NativeMethod::Delete, path: VERSION, request: cloud::delete },
    NativeRoute { method: NativeMethod::Put, path: RELEASE, request: cloud::release },
    NativeRoute { method: NativeMethod::Put, path: REVOKE, request: cloud::revoke },
    NativeRoute { method: NativeMethod::Post, path: PROVIDERS, request: cloud::take },
    NativeRoute { method: NativeMethod::Put, path: PROVIDER, request: cloud::take },
    NativeRoute { method: NativeMethod::Delete, path: PROVIDER, request: cloud::delete },
    NativeRoute { method: NativeMethod::Get, path: UPLOAD, request: cloud::begin_upload },
    NativeRoute { method: NativeMethod::Put, path: UPLOAD, request: cloud::upload },
    NativeRoute { method: NativeMethod::Get, path: DIRECT, request: cloud::begin_upload },
    NativeRoute { method: NativeMethod::Put, path: PROVIDER_OF, request: cloud::take },
    NativeRoute { method: NativeMethod::Delete, path: PROVIDER_OF, request: cloud::delete },
    NativeRoute { method: NativeMethod::Get, path: UPLOAD_OF, request: cloud::begin_upload },
    NativeRoute { method: NativeMethod::Put, path: UPLOAD_OF, request: cloud::upload },
    NativeRoute { method: NativeMethod::Get, path: DIRECT_OF, request: cloud::begin_upload },
    NativeRoute { method: NativeMethod::Get, path: "api/v2/vagrant/{name}", request: native::catalogue },
    NativeRoute { method: NativeMethod::Get, path: "api/v2/search", request: native::search },
    NativeRoute { method: NativeMethod::Get, path: "search", request: native::search_or_box },
    NativeRoute { method: NativeMethod::Get, path: "{name}", request: native::catalogue },
];
