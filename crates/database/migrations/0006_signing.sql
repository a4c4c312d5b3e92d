-- Keys that sign, and what they have signed.

-- One key a subject; the server's own has the number 0 and no subject. Of the private key only the part that signs is
-- kept, sealed under the master key and bound to this row.
CREATE TABLE gpg_keys (
    id BIGINT PRIMARY KEY,
    subject_id BIGINT UNIQUE REFERENCES subjects (id) ON DELETE CASCADE,
    sealed_key ctext NOT NULL,
    public_key ctext NOT NULL,
    fingerprint ctext NOT NULL,
    needs_passphrase BOOLEAN NOT NULL,
    expiry BIGINT,
    created BIGINT NOT NULL,
    CHECK ((id = 0) = (subject_id IS NULL))
);

CREATE INDEX gpg_keys_by_expiry ON gpg_keys (expiry, id) WHERE expiry IS NOT NULL;

-- Passphrases that were tried and have not turned out to be right.
CREATE TABLE gpg_guesses (
    id BIGINT PRIMARY KEY,
    key_id BIGINT NOT NULL REFERENCES gpg_keys (id) ON DELETE CASCADE,
    at BIGINT NOT NULL
);

CREATE INDEX gpg_guesses_of_key ON gpg_guesses (key_id, at);

-- Content that is a signature made here, and the content that it signs. Whether a file beside another one is such a
-- signature, and still the right one, follows from what the two hold.
CREATE TABLE signatures (
    blob_id BIGINT PRIMARY KEY REFERENCES blobs (id) ON DELETE CASCADE,
    signed_blob_id BIGINT NOT NULL,
    fingerprint ctext NOT NULL
);
