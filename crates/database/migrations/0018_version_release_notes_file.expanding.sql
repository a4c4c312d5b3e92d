-- The file in the source that has a version's release notes, as old clients name it.
ALTER TABLE versions ADD COLUMN github_release_notes_file ctext;
