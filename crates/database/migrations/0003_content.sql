-- Files, their content, and what follows from them.

-- Content that files may have, once for each digest. It is loose while no file may need it: before the first one has it,
-- and after the last one is gone. `loose_since` says since when, with 0 for not dated yet; `is_going` that a collector is
-- about to remove it from the store, and `loose_since` then says since when that is so.
CREATE TABLE blobs (
    id BIGINT PRIMARY KEY,
    sha256 ctext NOT NULL UNIQUE,
    sha1 ctext NOT NULL,
    md5 ctext,
    sha512 ctext,
    size BIGINT NOT NULL,
    loose_since BIGINT,
    is_going BOOLEAN NOT NULL
);

CREATE INDEX blobs_by_sha1 ON blobs (sha1);
CREATE INDEX blobs_without_md5 ON blobs (id) WHERE md5 IS NULL;
CREATE INDEX loose_blobs ON blobs (loose_since, id) WHERE loose_since IS NOT NULL;
CREATE INDEX going_blobs ON blobs (id) WHERE is_going;

-- A path of a repository belongs to one version. What readers see is published; what waits for a publish is staged.
-- Facts are what the repository's format remembers of the content.
CREATE TABLE files (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    path ctext NOT NULL,
    folded_name ctext NOT NULL,
    published_blob_id BIGINT REFERENCES blobs (id),
    published_facts ctext,
    published BIGINT,
    staged_blob_id BIGINT REFERENCES blobs (id),
    staged_facts ctext,
    is_listed BOOLEAN NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (repo_id, path),
    CHECK (published_blob_id IS NOT NULL OR staged_blob_id IS NOT NULL)
);

CREATE INDEX files_of_package ON files (package_id, path);
CREATE INDEX files_of_version ON files (version_id, path);
CREATE INDEX published_files ON files (repo_id, path) WHERE published_blob_id IS NOT NULL;
CREATE INDEX published_files_of_package ON files (package_id, path) WHERE published_blob_id IS NOT NULL;
CREATE INDEX published_files_of_version ON files (version_id, path) WHERE published_blob_id IS NOT NULL;
CREATE INDEX staged_files_of_version ON files (version_id, path) WHERE staged_blob_id IS NOT NULL;
CREATE INDEX files_of_published_blob ON files (published_blob_id, id) WHERE published_blob_id IS NOT NULL;
CREATE INDEX files_of_staged_blob ON files (staged_blob_id) WHERE staged_blob_id IS NOT NULL;
CREATE INDEX files_by_name ON files (folded_name, id);

-- Bytes that the files of a repository take. Several rows a repository, so that uploads do not queue for one.
CREATE TABLE stored_bytes (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    slot BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (repo_id, slot)
);

-- Index files that the server makes from what is published. The newest generation is served.
CREATE TABLE derived_files (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    path ctext NOT NULL,
    generation BIGINT NOT NULL,
    content ctext NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (repo_id, path, generation)
);

-- What happened, for those who follow it; written with what caused it.
CREATE TABLE events (
    id BIGINT PRIMARY KEY,
    subject_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    at BIGINT NOT NULL,
    kind ctext NOT NULL,
    repo ctext NOT NULL,
    package ctext NOT NULL,
    version ctext NOT NULL,
    path ctext,
    actor ctext NOT NULL,
    address ctext NOT NULL
);

CREATE INDEX events_of_subject ON events (subject_id, id);
CREATE INDEX events_by_time ON events (at);

-- Lines of a package's download log, as they were written: some a second and node.
CREATE TABLE download_lines (
    id BIGINT PRIMARY KEY,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    lines ctext NOT NULL
);

CREATE INDEX download_lines_of_day ON download_lines (package_id, day, id);
