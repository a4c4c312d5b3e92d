-- Paths that keep the content they had when their upload window was over, also after what held them is deleted. Names are
-- folded: no two repositories of one owner differ by letter case alone, and so no later one is free of these.
CREATE TABLE tombstones (
    folded_owner ctext NOT NULL,
    folded_repo ctext NOT NULL,
    path ctext NOT NULL,
    sha256 ctext NOT NULL,
    created BIGINT NOT NULL,
    PRIMARY KEY (folded_owner, folded_repo, path)
);

-- Versions that were first published before this moment are closed, whatever the window is now. It moves when the window
-- changes, and only forward.
ALTER TABLE repos ADD COLUMN closed_before BIGINT;

-- When the repository's upload window last changed.
ALTER TABLE repos ADD COLUMN window_changed BIGINT;
