-- Who signs in with a provider: the user of each subject of an issuer.
CREATE TABLE identities (
    issuer ctext NOT NULL,
    subject ctext NOT NULL,
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    created BIGINT NOT NULL,
    PRIMARY KEY (issuer, subject)
);

CREATE INDEX identities_of_user ON identities (user_id);

-- Builds that may publish without a stored secret. Claims are lines of one text, `claim=pattern`.
CREATE TABLE trusted_publishers (
    id BIGINT PRIMARY KEY,
    owner_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    repo_id BIGINT REFERENCES repos (id) ON DELETE CASCADE,
    package_id BIGINT REFERENCES packages (id) ON DELETE CASCADE,
    name ctext NOT NULL,
    provider ctext NOT NULL,
    issuer ctext NOT NULL,
    claims ctext NOT NULL,
    created BIGINT NOT NULL,
    UNIQUE (owner_id, name)
);

CREATE INDEX trusted_publishers_of_issuer ON trusted_publishers (issuer, id);
CREATE INDEX trusted_publishers_of_repo ON trusted_publishers (repo_id) WHERE repo_id IS NOT NULL;
CREATE INDEX trusted_publishers_of_package ON trusted_publishers (package_id) WHERE package_id IS NOT NULL;

-- Identity tokens that were exchanged, until they expire: none is exchanged twice.
CREATE TABLE spent_identity_tokens (
    hash ctext PRIMARY KEY,
    expiry BIGINT NOT NULL
);

CREATE INDEX spent_identity_tokens_by_expiry ON spent_identity_tokens (expiry);

-- The build that a token was made for, if a trusted publisher got it.
ALTER TABLE tokens ADD COLUMN build ctext;

CREATE INDEX tokens_of_builds ON tokens (expiry) WHERE build IS NOT NULL;

-- The build that published a version last, if a trusted publisher did.
CREATE TABLE version_builds (
    version_id BIGINT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    build ctext NOT NULL,
    at BIGINT NOT NULL
);

-- Devices that wait for a person to sign in for them, by the keyed hashes of their codes.
CREATE TABLE device_codes (
    hash ctext PRIMARY KEY,
    user_hash ctext NOT NULL UNIQUE,
    client ctext NOT NULL,
    address ctext NOT NULL,
    scope ctext NOT NULL,
    created BIGINT NOT NULL,
    expiry BIGINT NOT NULL,
    polled BIGINT,
    user_id BIGINT REFERENCES subjects (id) ON DELETE CASCADE,
    is_denied BOOLEAN NOT NULL
);

CREATE INDEX device_codes_by_expiry ON device_codes (expiry);
CREATE INDEX device_codes_of_user ON device_codes (user_id) WHERE user_id IS NOT NULL;
