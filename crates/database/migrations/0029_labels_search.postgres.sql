CREATE INDEX packages_search_labels ON packages USING gin (folded_labels gin_trgm_ops) WITH (fastupdate = off);
