-- Downloads of a version on a day, in days since the start of 1970. The numbers stand in the index as well: those of a
-- version lie side by side there, and in the table on as many pages as days.

CREATE TABLE download_counts (
    version_id BIGINT NOT NULL REFERENCES versions (id) ON DELETE CASCADE,
    day BIGINT NOT NULL,
    country ctext NOT NULL,
    count BIGINT NOT NULL,
    bytes BIGINT NOT NULL,
    PRIMARY KEY (version_id, day, country) INCLUDE (count, bytes)
);

-- Content of files that go, or that get other content, may be loose from then on.

CREATE FUNCTION files_loosen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        UPDATE blobs SET loose_since = 0
        WHERE id IN (OLD.published_blob_id, OLD.staged_blob_id) AND loose_since IS NULL;
    ELSE
        UPDATE blobs SET loose_since = 0
        WHERE id IN (OLD.published_blob_id, OLD.staged_blob_id) AND loose_since IS NULL
            AND id IS DISTINCT FROM NEW.published_blob_id AND id IS DISTINCT FROM NEW.staged_blob_id;
    END IF;
    RETURN NULL;
END $$;

CREATE TRIGGER files_loosen_deleted AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION files_loosen();
CREATE TRIGGER files_loosen_replaced AFTER UPDATE OF published_blob_id, staged_blob_id ON files
FOR EACH ROW EXECUTE FUNCTION files_loosen();

-- What file searches look into: every three characters in a row of the folded names. Only letters and digits count as
-- characters there, and on every server those of ASCII; so all others are written as letters.

CREATE INDEX files_search_name ON files
USING gin (regexp_replace(translate(folded_name, '.-_', 'qxz'), '[^a-z0-9]', 'j', 'g') gin_trgm_ops)
WITH (fastupdate = off);
