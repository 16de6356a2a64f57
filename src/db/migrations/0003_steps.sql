-- What an agent did on the way to its answer, and what a turn has cost.

CREATE TABLE steps (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
	attempt INTEGER NOT NULL,
	at TEXT NOT NULL,
	kind TEXT NOT NULL CHECK (kind IN ('said', 'tool')),
	detail TEXT NOT NULL
) STRICT;

CREATE INDEX steps_turn ON steps (turn, attempt);

-- One row per result of an agent, of failed attempts, too.
CREATE TABLE usage (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	turn INTEGER NOT NULL REFERENCES turns (id) ON DELETE CASCADE,
	group_folder TEXT NOT NULL,
	at TEXT NOT NULL,
	input_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	cache_read_tokens INTEGER NOT NULL,
	cache_write_tokens INTEGER NOT NULL,
	cost_micro_usd INTEGER NOT NULL
) STRICT;

CREATE INDEX usage_turn ON usage (turn);
CREATE INDEX usage_group ON usage (group_folder, at);
