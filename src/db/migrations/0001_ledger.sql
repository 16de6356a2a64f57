-- The first schema. docs/host.md explains each table; times are ISO 8601 in UTC
-- with milliseconds, and a folder is the name of a group below groups/.

CREATE TABLE meta (
	name TEXT PRIMARY KEY,
	value TEXT NOT NULL
) STRICT;

CREATE TABLE registered_groups (
	jid TEXT PRIMARY KEY,
	name TEXT NOT NULL,
	folder TEXT NOT NULL UNIQUE,
	trigger_pattern TEXT NOT NULL,
	added_at TEXT NOT NULL,
	requires_trigger INTEGER NOT NULL DEFAULT 1,
	is_main INTEGER NOT NULL DEFAULT 0,
	agent TEXT
) STRICT;

CREATE UNIQUE INDEX registered_groups_main ON registered_groups (is_main) WHERE is_main = 1;

CREATE TABLE allowed_senders (
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	sender TEXT NOT NULL,
	PRIMARY KEY (group_folder, sender)
) STRICT, WITHOUT ROWID;

-- Folders of removed groups that are still to be deleted.
CREATE TABLE removals (
	folder TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;

CREATE TABLE chats (
	jid TEXT PRIMARY KEY,
	name TEXT,
	last_message_time TEXT,
	channel TEXT NOT NULL,
	is_group INTEGER NOT NULL DEFAULT 1
) STRICT;

CREATE TABLE sessions (
	group_folder TEXT PRIMARY KEY REFERENCES registered_groups (folder) ON DELETE CASCADE,
	session_id TEXT NOT NULL,
	started_at TEXT NOT NULL,
	used_at TEXT NOT NULL,
	turns INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE TABLE turns (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	chat_jid TEXT NOT NULL REFERENCES chats (jid),
	first_seq INTEGER NOT NULL,
	last_seq INTEGER NOT NULL,
	state TEXT NOT NULL CHECK (state IN ('claimed', 'answered', 'delivered')),
	failures INTEGER NOT NULL DEFAULT 0,
	interruptions INTEGER NOT NULL DEFAULT 0,
	not_before TEXT,
	created_at TEXT NOT NULL,
	ended_at TEXT,
	error TEXT
) STRICT;

CREATE UNIQUE INDEX turns_open ON turns (group_folder) WHERE state = 'claimed';
CREATE INDEX turns_group ON turns (group_folder);

CREATE TABLE attempts (
	turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
	number INTEGER NOT NULL,
	started_at TEXT NOT NULL,
	ended_at TEXT,
	outcome TEXT NOT NULL CHECK (outcome IN
		('running', 'answered', 'failed', 'interrupted', 'stopped', 'fresh')),
	session_id TEXT,
	detail TEXT,
	PRIMARY KEY (turn, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
	seq INTEGER PRIMARY KEY,
	id TEXT NOT NULL,
	chat_jid TEXT NOT NULL REFERENCES chats (jid),
	sender TEXT NOT NULL,
	sender_name TEXT NOT NULL,
	content TEXT NOT NULL,
	timestamp TEXT NOT NULL,
	is_from_me INTEGER NOT NULL DEFAULT 0,
	channel TEXT NOT NULL,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	received_at TEXT NOT NULL,
	wants_answer INTEGER NOT NULL,
	state TEXT NOT NULL DEFAULT 'received'
		CHECK (state IN ('received', 'claimed', 'answered', 'delivered')),
	turn INTEGER REFERENCES turns (id)
) STRICT;

CREATE UNIQUE INDEX messages_identity ON messages (chat_jid, id, channel);
CREATE INDEX messages_chat ON messages (chat_jid, seq);
CREATE INDEX messages_group ON messages (group_folder);
CREATE INDEX messages_turn ON messages (turn) WHERE turn IS NOT NULL;
CREATE INDEX messages_waiting ON messages (group_folder, seq)
	WHERE state = 'received' AND wants_answer = 1;

-- Up to which message each chat is answered.
CREATE TABLE cursors (
	chat_jid TEXT PRIMARY KEY REFERENCES chats (jid),
	seq INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE outbox (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	key TEXT NOT NULL UNIQUE,
	turn INTEGER REFERENCES turns (id) ON DELETE CASCADE,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	chat_jid TEXT NOT NULL REFERENCES chats (jid),
	kind TEXT NOT NULL CHECK (kind IN ('answer', 'error', 'message', 'notice')),
	part INTEGER NOT NULL,
	parts INTEGER NOT NULL,
	content TEXT NOT NULL,
	state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'sent', 'dead')),
	attempts INTEGER NOT NULL DEFAULT 0,
	not_before TEXT,
	last_error TEXT,
	created_at TEXT NOT NULL,
	ended_at TEXT,
	receipt TEXT
) STRICT;

CREATE INDEX outbox_waiting ON outbox (chat_jid, id) WHERE state = 'waiting';
CREATE INDEX outbox_dead ON outbox (id) WHERE state = 'dead';
CREATE INDEX outbox_turn ON outbox (turn) WHERE turn IS NOT NULL;
CREATE INDEX outbox_group ON outbox (group_folder);

CREATE TABLE scheduled_tasks (
	id TEXT PRIMARY KEY,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	chat_jid TEXT NOT NULL,
	prompt TEXT NOT NULL,
	schedule_type TEXT NOT NULL CHECK (schedule_type IN ('cron', 'interval', 'once')),
	schedule_value TEXT NOT NULL,
	next_run TEXT,
	status TEXT NOT NULL DEFAULT 'active'
		CHECK (status IN ('active', 'paused', 'completed'))
) STRICT;
