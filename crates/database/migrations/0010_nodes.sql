-- The servers that work on this database, as each tells of itself now and then. A row is one run of the program.
CREATE TABLE nodes (
    id BIGINT PRIMARY KEY,
    name ctext NOT NULL,
    version ctext NOT NULL,
    started BIGINT NOT NULL,
    seen BIGINT NOT NULL
);

CREATE INDEX nodes_by_sight ON nodes (seen, id);
