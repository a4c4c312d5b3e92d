-- How many bytes the files of a subject, and of a repository, may take. Without a number, a subject has what its plan gives,
-- and a repository what its owner has.
ALTER TABLE subjects ADD COLUMN quota_bytes BIGINT;
ALTER TABLE repos ADD COLUMN quota_bytes BIGINT;

-- Whoever adds to what a subject stores, where that has a quota, holds its row: so one at a time compares and adds.
CREATE TABLE storage_turns (
    owner_id BIGINT PRIMARY KEY REFERENCES subjects (id) ON DELETE CASCADE,
    taken BIGINT NOT NULL
);
