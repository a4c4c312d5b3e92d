-- Sessions of key holders on the pages. A session ends when the password of its key changes.
CREATE TABLE key_sessions (
    hash ctext PRIMARY KEY,
    key_id BIGINT NOT NULL REFERENCES access_keys (id) ON DELETE CASCADE,
    password_hash ctext NOT NULL,
    created BIGINT NOT NULL
);

CREATE INDEX key_sessions_of_key ON key_sessions (key_id);
CREATE INDEX key_sessions_by_age ON key_sessions (created);
