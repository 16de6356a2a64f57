-- Files of messages that came in, and of texts that go out. The files themselves are in
-- data/media/FOLDER, under the hash of their content.

CREATE TABLE attachments (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	message INTEGER REFERENCES messages (seq) ON DELETE CASCADE,
	outbox INTEGER REFERENCES outbox (id) ON DELETE CASCADE,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	kind TEXT,
	name TEXT,
	type TEXT,
	size INTEGER NOT NULL DEFAULT 0,
	source TEXT,
	state TEXT NOT NULL CHECK (state IN ('pending', 'stored', 'missing')),
	file TEXT,
	failures INTEGER NOT NULL DEFAULT 0,
	not_before TEXT,
	error TEXT,
	added_at TEXT NOT NULL
) STRICT;

CREATE INDEX attachments_message ON attachments (message) WHERE message IS NOT NULL;
CREATE INDEX attachments_outbox ON attachments (outbox) WHERE outbox IS NOT NULL;
CREATE INDEX attachments_pending ON attachments (id) WHERE state = 'pending';
CREATE INDEX attachments_file ON attachments (group_folder, file) WHERE file IS NOT NULL;

-- A message whose files are being fetched waits for them, but not longer than this.
ALTER TABLE messages ADD COLUMN held_until TEXT;
CREATE INDEX messages_held ON messages (group_folder, seq) WHERE held_until IS NOT NULL;

-- What a row does to the message `target`: 'react' or 'edit', or NULL for a new text.
ALTER TABLE outbox ADD COLUMN action TEXT;
ALTER TABLE outbox ADD COLUMN target TEXT;
