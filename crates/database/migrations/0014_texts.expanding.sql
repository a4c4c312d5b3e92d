-- What readmes, release notes and agreements look like on pages: HTML that was made safe when the text was saved. The
-- digest says of which text, the edition by which renderer; 0 is none. No HTML means: shown as plain text.
ALTER TABLE package_documents ADD COLUMN html ctext;
ALTER TABLE package_documents ADD COLUMN html_sha256 ctext;
ALTER TABLE package_documents ADD COLUMN html_edition BIGINT NOT NULL DEFAULT 0;

ALTER TABLE version_release_notes ADD COLUMN html ctext;
ALTER TABLE version_release_notes ADD COLUMN html_sha256 ctext;
ALTER TABLE version_release_notes ADD COLUMN html_edition BIGINT NOT NULL DEFAULT 0;

ALTER TABLE eulas ADD COLUMN html ctext;
ALTER TABLE eulas ADD COLUMN html_sha256 ctext;
ALTER TABLE eulas ADD COLUMN html_edition BIGINT NOT NULL DEFAULT 0;

-- Texts that another edition has rendered, or none.
CREATE INDEX package_documents_by_edition ON package_documents (html_edition, package_id, kind);
CREATE INDEX version_release_notes_by_edition ON version_release_notes (html_edition, version_id);
CREATE INDEX eulas_by_edition ON eulas (html_edition, id);

-- Whether the text was sent in its first form, wrapped in an object, and is answered in that form as well.
ALTER TABLE package_documents ADD COLUMN is_wrapped BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE version_release_notes ADD COLUMN is_wrapped BOOLEAN NOT NULL DEFAULT FALSE;
