//! The requests of a format's own clients, as a table.

use model::{file_path::FilePath, timestamp::Timestamp};

use crate::format::{NativeAnswer, NativeChange, Question, Refusal};

/// One line of the table: which requests it covers, and what they mean.
#[derive(Debug)]
pub struct NativeRoute {
    /// The method. A route for GET also covers HEAD.
    pub method: NativeMethod,
    /// The path below the repository's URL: segments, of which `{name}` takes any one, `{name*}` takes one or more, and
    /// `{@name}` takes one, or two if the first begins with `@`. A segment can have a fixed beginning or end around its
    /// name. A slash at the end of a pattern stands for requests of a folder.
    pub path: &'static str,
    /// Tells what a request means. It sees no body.
    pub request: fn(&NativeCall<'_>) -> Result<NativeRequest, Refusal>,
}

/// The method of a native request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NativeMethod {
    /// GET and HEAD.
    Get,
    /// POST.
    Post,
    /// PUT.
    Put,
    /// PATCH.
    Patch,
    /// DELETE.
    Delete,
}

/// A request that matches a route.
#[derive(Debug, Clone)]
pub struct NativeCall<'c> {
    /// The route.
    pub route: &'static NativeRoute,
    /// The values of the names in its path.
    pub values: Vec<(&'static str, String)>,
    /// The parameters of the query.
    pub query: &'c [(String, String)],
    /// The `Accept` header, all of its values joined by commas.
    pub accept: &'c str,
    /// The name of the caller, if they are signed in.
    pub user: Option<&'c str>,
    /// The name of the repository.
    pub repo: &'c str,
    /// Whether it is private. This is known when the caller may read it, so not yet for the route's own function.
    pub is_private: bool,
    /// The time of the request.
    pub now: Timestamp,
}

impl NativeCall<'_> {
    /// The value of a name in the route's path; empty if the path does not have it.
    pub fn value(&self, name: &str) -> &str {
        self.values.iter().find(|(found, _)| *found == name).map_or("", |(_, value)| value)
    }

    /// The first query parameter with this name.
    pub fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// The meaning of a native request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NativeRequest {
    /// Serve the file, index or part at this path.
    Read {
        /// The path.
        path: FilePath,
        /// The media type of the answer, if it is not the path's own.
        media_type: Option<&'static str>,
        /// Whether the answer depends on `Accept`.
        varies: bool,
    },
    /// Redirect to this path below the repository's URL.
    Redirect(String),
    /// Answer from rows.
    Ask(Question),
    /// Give this answer to everyone who may read the repository.
    Say(NativeAnswer),
    /// Read a body, which [`super::Native::accept`] then interprets.
    Take(Body),
    /// Read a JSON object with `name` and `password` as the credentials of a caller who may read the repository. The
    /// answer is [`super::Native::signed_in`].
    SignIn,
    /// Answer a caller who has signed in with a name and a key in a header. The answer is
    /// [`super::Native::signed_in`].
    SignInByHeader,
    /// Give a caller who has signed in with a header a token, which stands for these credentials in this repository. The
    /// answer is [`super::Native::token_issued`].
    IssueToken,
    /// Give a caller who has signed in a URL for one upload to this path, which needs no other credentials. The answer
    /// is [`super::Native::upload_to`].
    BeginUpload(String),
    /// Change rows.
    Change(Vec<NativeChange>),
}

/// How a body is read. Files go to the store as they arrive; everything else is small and stays in memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Body {
    /// A text of at most this many bytes.
    Text(usize),
    /// One file.
    Raw,
    /// A form; its parts with a file name are files.
    Multipart,
    /// A form, or one file.
    FormOrFile,
    /// A document and a file, each after its length as four little-endian bytes.
    Framed,
    /// A JSON document whose `_attachments` are files in base64.
    NpmDocument,
}
