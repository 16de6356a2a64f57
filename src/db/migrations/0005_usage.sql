-- What agents have used: a row for each answer of the API, of which the latest are kept, and
-- sums per day, group and model, which stay. What a removed group has used was used all the
-- same, so nothing here refers to a group or a turn.

DROP INDEX usage_turn;
DROP INDEX usage_group;
ALTER TABLE usage RENAME TO first_usage;

CREATE TABLE usage (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	at TEXT NOT NULL,
	group_folder TEXT NOT NULL,
	turn INTEGER,
	model TEXT NOT NULL,
	source TEXT NOT NULL CHECK (source IN ('api', 'agent')),
	input_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	cache_read_tokens INTEGER NOT NULL,
	cache_write_tokens INTEGER NOT NULL,
	cost_micro_usd INTEGER
) STRICT;

CREATE INDEX usage_turn ON usage (turn) WHERE turn IS NOT NULL;
CREATE INDEX usage_at ON usage (at);

-- A day is one of the installation's time zone. `unpriced` counts the requests that
-- cost_micro_usd leaves out, because nobody knows what they cost.
CREATE TABLE usage_days (
	day TEXT NOT NULL,
	group_folder TEXT NOT NULL,
	model TEXT NOT NULL,
	requests INTEGER NOT NULL,
	input_tokens INTEGER NOT NULL,
	output_tokens INTEGER NOT NULL,
	cache_read_tokens INTEGER NOT NULL,
	cache_write_tokens INTEGER NOT NULL,
	cost_micro_usd INTEGER NOT NULL,
	unpriced INTEGER NOT NULL,
	PRIMARY KEY (day, group_folder, model)
) STRICT, WITHOUT ROWID;

CREATE INDEX usage_days_group ON usage_days (group_folder, day);

-- What agents said of themselves until now: one row per turn, and the model is not known. Its
-- day is that of UTC, since SQL knows no other.
INSERT INTO usage (at, group_folder, turn, model, source, input_tokens, output_tokens,
	cache_read_tokens, cache_write_tokens, cost_micro_usd)
	SELECT at, group_folder, turn, '', 'agent', input_tokens, output_tokens,
	cache_read_tokens, cache_write_tokens, cost_micro_usd FROM first_usage ORDER BY id;

INSERT INTO usage_days
	SELECT substr(at, 1, 10), group_folder, '', count(*), sum(input_tokens),
	sum(output_tokens), sum(cache_read_tokens), sum(cache_write_tokens),
	sum(cost_micro_usd), 0 FROM first_usage GROUP BY substr(at, 1, 10), group_folder;

DROP TABLE first_usage;
