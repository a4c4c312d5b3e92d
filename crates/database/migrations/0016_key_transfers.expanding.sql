-- What is left of the downloads of some content that a key with a limit has paid for, in bytes: less than none when a
-- transfer was begun again. Content of which nothing is left has no row.
CREATE TABLE access_key_transfers (
    key_id BIGINT NOT NULL REFERENCES access_keys (id) ON DELETE CASCADE,
    blob_id BIGINT NOT NULL,
    bytes_left BIGINT NOT NULL,
    updated BIGINT NOT NULL,
    PRIMARY KEY (key_id, blob_id)
);

CREATE INDEX access_key_transfers_by_time ON access_key_transfers (updated);
