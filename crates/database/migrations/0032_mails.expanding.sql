-- Messages to users: written with their cause, sent by a job. `due` is also the end of a lease. Rows of sent messages
-- stay for a day without their text, to limit how many a recipient gets.
CREATE TABLE mails (
    id BIGINT PRIMARY KEY,
    kind ctext NOT NULL,
    recipient ctext NOT NULL,
    title ctext NOT NULL,
    body ctext NOT NULL,
    created BIGINT NOT NULL,
    due BIGINT NOT NULL,
    attempts BIGINT NOT NULL,
    sent BIGINT
);

CREATE INDEX mails_by_due ON mails (due, id) WHERE sent IS NULL;
CREATE INDEX mails_of_recipient ON mails (recipient, created);
CREATE INDEX mails_by_age ON mails (created);

-- The address that a user has confirmed. It counts while it is the address of the profile.
ALTER TABLE subjects ADD COLUMN verified_email ctext;

-- The devices and networks that a user has signed in from.
CREATE TABLE sign_in_places (
    user_id BIGINT NOT NULL REFERENCES subjects (id) ON DELETE CASCADE,
    device ctext NOT NULL,
    network ctext NOT NULL,
    used BIGINT NOT NULL,
    PRIMARY KEY (user_id, device, network)
);

CREATE INDEX sign_in_places_by_use ON sign_in_places (used);

-- The keys and tokens whose expiry was announced. A new expiry is announced again.
CREATE TABLE expiry_warnings (
    kind ctext NOT NULL,
    object_id BIGINT NOT NULL,
    expiry BIGINT NOT NULL,
    PRIMARY KEY (kind, object_id, expiry)
);

CREATE INDEX expiry_warnings_by_expiry ON expiry_warnings (expiry);
CREATE INDEX tokens_by_expiry ON tokens (expiry) WHERE expiry IS NOT NULL;
CREATE INDEX access_keys_by_expiry ON access_keys (expiry) WHERE expiry IS NOT NULL;
CREATE INDEX subjects_by_email ON subjects (email) WHERE email IS NOT NULL;
