-- Repositories, packages, versions, and what hangs on them. Lists of words are kept as lines of one text.

CREATE TABLE repos (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    folded_name ctext NOT NULL,
    type ctext NOT NULL,
    is_private BOOLEAN NOT NULL,
    description ctext NOT NULL,
    folded_description ctext NOT NULL,
    labels ctext NOT NULL,
    gpg_sign_metadata BOOLEAN NOT NULL,
    gpg_sign_files BOOLEAN NOT NULL,
    gpg_use_owner_key BOOLEAN NOT NULL,
    version_update_max_days BIGINT,
    default_debian_distribution ctext,
    default_debian_component ctext,
    default_debian_architecture ctext,
    yum_metadata_depth BIGINT,
    package_count BIGINT NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (owner_id, name),
    UNIQUE (owner_id, folded_name)
);

CREATE INDEX repos_by_name ON repos (name, id);
CREATE INDEX repos_of_owner ON repos (owner_id, id);

CREATE TABLE packages (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    folded_name ctext NOT NULL,
    description ctext NOT NULL,
    folded_description ctext NOT NULL,
    labels ctext NOT NULL,
    licenses ctext NOT NULL,
    custom_licenses ctext NOT NULL,
    website_url ctext,
    issue_tracker_url ctext,
    vcs_url ctext,
    github_repo ctext,
    github_release_notes_file ctext,
    public_download_numbers BOOLEAN NOT NULL,
    rating_sum BIGINT NOT NULL,
    rating_count BIGINT NOT NULL,
    followers_count BIGINT NOT NULL,
    last_ordinal BIGINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    UNIQUE (repo_id, name),
    UNIQUE (repo_id, folded_name)
);

CREATE TABLE versions (
    id BIGINT PRIMARY KEY,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    description ctext NOT NULL,
    labels ctext NOT NULL,
    vcs_tag ctext,
    github_use_tag_release_notes BOOLEAN NOT NULL,
    released BIGINT,
    first_published BIGINT,
    published_files BIGINT NOT NULL,
    ordinal BIGINT NOT NULL,
    created BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    UNIQUE (package_id, name),
    UNIQUE (package_id, ordinal)
);

CREATE INDEX released_versions ON versions (package_id, first_published) WHERE first_published IS NOT NULL;
CREATE INDEX published_versions ON versions (package_id, ordinal) WHERE published_files > 0;

-- An attribute belongs to a package, or to one of its versions: its object is the package's key, or the version's,
-- negated. The content is what is shown, as JSON.
CREATE TABLE attributes (
    object_id BIGINT NOT NULL,
    name ctext NOT NULL,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    version_id BIGINT REFERENCES versions (id) ON DELETE CASCADE,
    position BIGINT NOT NULL,
    kind ctext NOT NULL,
    content ctext NOT NULL,
    PRIMARY KEY (object_id, name)
);

CREATE INDEX attributes_in_package ON attributes (package_id);
CREATE INDEX attributes_of_version ON attributes (version_id) WHERE version_id IS NOT NULL;

-- Each value of an attribute once, for searches in a repository, or in a package, whose key is negated. Equal values
-- have equal keys; number and moment are for ranges.
CREATE TABLE attribute_values (
    object_id BIGINT NOT NULL,
    name ctext NOT NULL,
    key ctext NOT NULL,
    scope_id BIGINT NOT NULL,
    is_array BOOLEAN NOT NULL,
    number DOUBLE PRECISION,
    moment BIGINT,
    PRIMARY KEY (object_id, name, key),
    FOREIGN KEY (object_id, name) REFERENCES attributes (object_id, name) ON DELETE CASCADE
);

CREATE INDEX attribute_values_by_key ON attribute_values (scope_id, name, key, object_id);
CREATE INDEX attribute_values_by_number ON attribute_values (scope_id, name, number, object_id)
WHERE number IS NOT NULL;
CREATE INDEX attribute_values_by_moment ON attribute_values (scope_id, name, moment, object_id)
WHERE moment IS NOT NULL;

-- A package shown in another repository.
CREATE TABLE links (
    repo_id BIGINT NOT NULL REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    package_name ctext NOT NULL,
    folded_name ctext NOT NULL,
    path_prefix ctext,
    created BIGINT NOT NULL,
    PRIMARY KEY (repo_id, package_id),
    UNIQUE (repo_id, package_name),
    UNIQUE (repo_id, folded_name)
);

CREATE INDEX links_of_package ON links (package_id);

CREATE TABLE followers (
    subject_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    follower_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    since BIGINT NOT NULL,
    PRIMARY KEY (subject_id, follower_id)
);

CREATE INDEX followers_of_follower ON followers (follower_id);

CREATE TABLE package_followers (
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    follower_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    since BIGINT NOT NULL,
    PRIMARY KEY (package_id, follower_id)
);

CREATE INDEX package_followers_of_follower ON package_followers (follower_id);

CREATE TABLE ratings (
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    rating BIGINT NOT NULL CHECK (rating BETWEEN 1 AND 5),
    PRIMARY KEY (package_id, user_id)
);

CREATE INDEX ratings_of_user ON ratings (user_id);

CREATE TABLE package_documents (
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    kind ctext NOT NULL CHECK (kind IN ('readme', 'release_notes')),
    syntax ctext NOT NULL,
    content ctext NOT NULL,
    PRIMARY KEY (package_id, kind)
);

CREATE TABLE version_release_notes (
    version_id BIGINT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    syntax ctext NOT NULL,
    content ctext NOT NULL
);

CREATE TABLE custom_licenses (
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    description ctext NOT NULL,
    url ctext NOT NULL,
    PRIMARY KEY (owner_id, name)
);

-- Which packages name a licence of their owner. A licence that is used stays, unless the owner goes with everything.
CREATE TABLE custom_license_uses (
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    license ctext NOT NULL,
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    PRIMARY KEY (owner_id, license, package_id),
    FOREIGN KEY (owner_id, license) REFERENCES custom_licenses (owner_id, name)
);

CREATE INDEX custom_license_uses_of_package ON custom_license_uses (package_id);

-- How many counted queries a user has made on a day, in days since the start of 1970.
CREATE TABLE daily_queries (
    day BIGINT NOT NULL,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    count BIGINT NOT NULL,
    PRIMARY KEY (day, user_id)
);

CREATE INDEX daily_queries_of_user ON daily_queries (user_id);

-- Who may read a private repository: its user, and those who run its organisation.
CREATE VIEW private_readers AS
SELECT r.id AS repo_id, r.owner_id AS reader_id
FROM repos r
UNION ALL
SELECT r.id AS repo_id, m.user_id AS reader_id
FROM repos r
JOIN members m ON m.org_id = r.owner_id
WHERE m.role IN ('owner', 'admin');
