-- Scheduled tasks and their runs; docs/schedules.md explains them. The table of the
-- first schema was never written to by a command, but what is in it is kept.

ALTER TABLE scheduled_tasks RENAME TO first_tasks;

CREATE TABLE scheduled_tasks (
	id TEXT PRIMARY KEY,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	chat_jid TEXT NOT NULL,
	prompt TEXT NOT NULL,
	schedule_type TEXT NOT NULL CHECK (schedule_type IN ('cron', 'interval', 'once')),
	schedule_value TEXT NOT NULL,
	tz TEXT NOT NULL,
	missed TEXT NOT NULL CHECK (missed IN ('skip', 'once', 'all')),
	context_mode TEXT NOT NULL CHECK (context_mode IN ('group', 'isolated')),
	next_run TEXT,
	status TEXT NOT NULL DEFAULT 'active'
		CHECK (status IN ('active', 'paused', 'completed', 'cancelled')),
	anchor TEXT NOT NULL,
	created_at TEXT NOT NULL,
	last_run TEXT,
	last_result TEXT,
	key TEXT UNIQUE
) STRICT;

INSERT INTO scheduled_tasks (id, group_folder, chat_jid, prompt, schedule_type,
	schedule_value, tz, missed, context_mode, next_run, status, anchor, created_at)
	SELECT id, group_folder, chat_jid, prompt, schedule_type, schedule_value, 'UTC',
	'once', 'group', next_run, status, '1970-01-01T00:00:00.000Z',
	'1970-01-01T00:00:00.000Z' FROM first_tasks;

DROP TABLE first_tasks;

CREATE INDEX scheduled_tasks_due ON scheduled_tasks (next_run) WHERE status = 'active';
CREATE INDEX scheduled_tasks_group ON scheduled_tasks (group_folder);

-- One row per run; a task and the time that it is for are its key.
CREATE TABLE task_runs (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	task_id TEXT NOT NULL REFERENCES scheduled_tasks (id) ON DELETE CASCADE,
	scheduled_for TEXT NOT NULL,
	queued_at TEXT NOT NULL,
	started_at TEXT,
	ended_at TEXT,
	outcome TEXT NOT NULL DEFAULT 'waiting' CHECK (outcome IN
		('waiting', 'running', 'answered', 'silent', 'failed', 'skipped', 'cancelled')),
	turn INTEGER,
	result TEXT,
	error TEXT,
	UNIQUE (task_id, scheduled_for)
) STRICT;

CREATE INDEX task_runs_waiting ON task_runs (id) WHERE outcome = 'waiting';

-- A turn is for messages or for a run, and stands in a lane: '' is that of its group, a
-- task that runs by itself has its own.
ALTER TABLE turns ADD COLUMN run INTEGER REFERENCES task_runs (id) ON DELETE SET NULL;
ALTER TABLE turns ADD COLUMN lane TEXT NOT NULL DEFAULT '';
CREATE INDEX turns_run ON turns (run) WHERE run IS NOT NULL;
DROP INDEX turns_open;
CREATE UNIQUE INDEX turns_open ON turns (group_folder, lane) WHERE state = 'claimed';
