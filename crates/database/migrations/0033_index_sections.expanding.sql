-- Indexes of packages whose text is joined when it is read: the stored text is a frame, and sections go to its places.
-- NULL: the stored text is whole.
ALTER TABLE derived_files ADD COLUMN first_section BIGINT;

ALTER TABLE derived_files ADD COLUMN last_section BIGINT;

-- The size of the joined text. NULL: that of the stored text.
ALTER TABLE derived_files ADD COLUMN joined_size BIGINT;

-- What the versions of one block add to a section. A block is a range of versions, by the order of their creation, so
-- that a publish renders a few versions and not all.
CREATE TABLE index_sections (
    package_id BIGINT NOT NULL REFERENCES packages (id) ON DELETE CASCADE,
    section BIGINT NOT NULL,
    block BIGINT NOT NULL,
    -- The number of published files of the block.
    files BIGINT NOT NULL,
    size BIGINT NOT NULL,
    content ctext NOT NULL,
    PRIMARY KEY (package_id, section, block)
);
