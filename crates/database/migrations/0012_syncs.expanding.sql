-- Versions that are being synced to a staging registry, each by one server at a time: whoever has claimed it, until the
-- claim ends. A row goes with the end of the sync.
CREATE TABLE syncs (
    version_id BIGINT PRIMARY KEY REFERENCES versions (id) ON DELETE CASCADE,
    claim BIGINT NOT NULL,
    claimed_until BIGINT NOT NULL
);
