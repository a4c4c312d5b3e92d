-- ctext is text that compares by its bytes on both engines: PostgreSQL has it as a domain, SQLite reads TEXT in its name.

CREATE TABLE meta (
    key ctext PRIMARY KEY,
    value ctext NOT NULL
);

-- Users and organisations: whoever can own a repository.
CREATE TABLE subjects (
    id BIGINT PRIMARY KEY,
    kind ctext NOT NULL CHECK (kind IN ('user', 'org')),
    name ctext NOT NULL UNIQUE,
    folded_name ctext NOT NULL UNIQUE,
    full_name ctext NOT NULL,
    email ctext,
    plan ctext NOT NULL,
    is_site_admin BOOLEAN NOT NULL,
    password_hash ctext,
    url_key_generation BIGINT NOT NULL DEFAULT 0,
    registered BIGINT NOT NULL
);

CREATE INDEX site_admins ON subjects (id) WHERE is_site_admin;

-- Names of deleted subjects: nobody may take over the addresses that others still use.
CREATE TABLE retired_names (
    folded_name ctext PRIMARY KEY,
    name ctext NOT NULL,
    retired BIGINT NOT NULL
);

CREATE TABLE api_keys (
    id BIGINT PRIMARY KEY,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    hash ctext NOT NULL UNIQUE,
    created BIGINT NOT NULL
);

CREATE INDEX api_keys_of_user ON api_keys (user_id);

CREATE TABLE members (
    org_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    role ctext NOT NULL CHECK (role IN ('member', 'admin', 'owner')),
    PRIMARY KEY (org_id, user_id)
);

CREATE INDEX members_of_user ON members (user_id);

-- Append-only: each row holds the hash of the one before it.
CREATE TABLE audit (
    seq BIGINT PRIMARY KEY,
    at BIGINT NOT NULL,
    actor ctext NOT NULL,
    action ctext NOT NULL,
    target ctext NOT NULL,
    detail ctext NOT NULL,
    address ctext NOT NULL,
    request_id ctext NOT NULL,
    hash ctext NOT NULL
);

-- One row: the end of the chain. It is locked last in a transaction, so that no two wait for each other.
CREATE TABLE audit_head (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    seq BIGINT NOT NULL,
    hash ctext NOT NULL
);

INSERT INTO audit_head (id, seq, hash) VALUES (1, 0, '');
