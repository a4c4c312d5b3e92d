-- Whether the indexes of a Debian repository list the files in its packages.
ALTER TABLE repos ADD COLUMN debian_contents BOOLEAN NOT NULL DEFAULT FALSE;
