-- Indexes of repositories: texts over all files of a repository, made of blocks.

-- One row for each repository that has such indexes. A builder holds the lease until a time; a switch to the next
-- generation needs the lease and the generation that it was built on. `edition` is the one of the format's code that
-- the repository was last built with. Documents that expire are made again at `seal_by`.
CREATE TABLE index_heads (
    repo_id BIGINT PRIMARY KEY REFERENCES repos (id) ON DELETE CASCADE,
    generation BIGINT NOT NULL,
    generated BIGINT NOT NULL,
    lease BIGINT NOT NULL,
    leased_until BIGINT NOT NULL,
    seal_by BIGINT,
    edition BIGINT NOT NULL,
    failure ctext
);

CREATE INDEX unbuilt_index_heads ON index_heads (repo_id) WHERE generation = 0;
CREATE INDEX index_heads_to_seal ON index_heads (seal_by) WHERE seal_by IS NOT NULL;

-- Files that the indexes of a repository do not show as they are. Triggers write the rows; the switch that covers one
-- deletes it. No row refers to another table: files and repositories may be gone.
CREATE TABLE index_changes (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL,
    file_id BIGINT NOT NULL
);

CREATE INDEX index_changes_of_repo ON index_changes (repo_id, id);

-- A stream is a text of blocks in a row, such as the packages of one architecture.
CREATE TABLE index_streams (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES index_heads (repo_id) ON DELETE CASCADE,
    name ctext NOT NULL,
    entries BIGINT NOT NULL,
    UNIQUE (repo_id, name)
);

-- A block is part of the generations from the first to, but not including, the last. `states` are those of the digests
-- after this block in the newest generation.
CREATE TABLE index_blocks (
    id BIGINT PRIMARY KEY,
    stream_id BIGINT NOT NULL REFERENCES index_streams (id) ON DELETE CASCADE,
    place BIGINT NOT NULL,
    entries BIGINT NOT NULL,
    plain_size BIGINT NOT NULL,
    size BIGINT NOT NULL,
    facts_size BIGINT NOT NULL,
    first_generation BIGINT NOT NULL,
    last_generation BIGINT,
    states cbytes
);

CREATE INDEX index_blocks_of_stream ON index_blocks (stream_id, place);
CREATE INDEX live_index_blocks ON index_blocks (stream_id, place) WHERE last_generation IS NULL;
CREATE INDEX ended_index_blocks ON index_blocks (stream_id, last_generation) WHERE last_generation IS NOT NULL;

CREATE TABLE index_block_bytes (
    block_id BIGINT PRIMARY KEY REFERENCES index_blocks (id) ON DELETE CASCADE,
    bytes cbytes NOT NULL
);

-- The files of a stream, each with the place of its block. Entries of a group are in the same block.
CREATE TABLE index_entries (
    stream_id BIGINT NOT NULL REFERENCES index_streams (id) ON DELETE CASCADE,
    file_id BIGINT NOT NULL,
    place BIGINT NOT NULL,
    group_name ctext,
    PRIMARY KEY (stream_id, file_id)
);

CREATE INDEX index_entries_of_file ON index_entries (file_id);
CREATE INDEX index_entries_of_place ON index_entries (stream_id, place, file_id);
CREATE INDEX index_entries_of_group ON index_entries (stream_id, group_name) WHERE group_name IS NOT NULL;

-- Files of indexes: what stands before the blocks, between two of them and after them. Without a stream, the first is
-- all. The newest generation of a path is served. One that was replaced stays until a time, in which a path that names
-- its digest still finds it.
CREATE TABLE index_files (
    id BIGINT PRIMARY KEY,
    repo_id BIGINT NOT NULL REFERENCES index_heads (repo_id) ON DELETE CASCADE,
    path ctext NOT NULL,
    generation BIGINT NOT NULL,
    stream_id BIGINT REFERENCES index_streams (id) ON DELETE CASCADE,
    is_inflated BOOLEAN NOT NULL,
    is_lasting BOOLEAN NOT NULL,
    head cbytes NOT NULL,
    joint cbytes NOT NULL,
    tail cbytes NOT NULL,
    size BIGINT NOT NULL,
    sha256 ctext,
    created BIGINT NOT NULL,
    until BIGINT,
    UNIQUE (repo_id, path, generation)
);

CREATE INDEX live_index_files ON index_files (repo_id, path) WHERE until IS NULL;
CREATE INDEX ended_index_files ON index_files (until) WHERE until IS NOT NULL;
CREATE INDEX index_files_of_stream ON index_files (stream_id, generation);

CREATE INDEX repos_of_type ON repos (type, id);
