-- User skills: what the assistant can do for a person. docs/user-skills.md explains them.

-- One row per skill and where it comes from: a file of the library, or the database alone.
CREATE TABLE skill_definitions (
	id TEXT NOT NULL,
	origin TEXT NOT NULL CHECK (origin IN ('file', 'database')),
	version TEXT NOT NULL,
	name TEXT NOT NULL,
	category TEXT NOT NULL,
	source TEXT NOT NULL,
	status TEXT NOT NULL CHECK (status IN
		('Observed', 'Proposed', 'Approved', 'Active', 'Refined', 'Retired')),
	stated TEXT NOT NULL,
	content TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	path TEXT,
	gone INTEGER NOT NULL DEFAULT 0,
	version_id INTEGER NOT NULL REFERENCES skill_versions (id),
	created_at TEXT NOT NULL,
	changed_at TEXT NOT NULL,
	PRIMARY KEY (id, origin)
) STRICT;

-- Their slash commands, so that the same one is found in two skills without reading them.
CREATE TABLE skill_commands (
	command TEXT NOT NULL,
	skill TEXT NOT NULL,
	origin TEXT NOT NULL,
	PRIMARY KEY (skill, origin, command),
	FOREIGN KEY (skill, origin) REFERENCES skill_definitions (id, origin) ON DELETE CASCADE
) STRICT;

CREATE INDEX skill_commands_command ON skill_commands (command, skill, origin);

-- Every content that there was, and from when to when.
CREATE TABLE skill_versions (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	skill TEXT NOT NULL,
	origin TEXT NOT NULL CHECK (origin IN ('file', 'database', 'override')),
	group_folder TEXT REFERENCES registered_groups (folder) ON DELETE CASCADE,
	version TEXT NOT NULL,
	content TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	since TEXT NOT NULL,
	until TEXT
) STRICT;

CREATE INDEX skill_versions_skill ON skill_versions (skill);
CREATE INDEX skill_versions_group ON skill_versions (group_folder)
	WHERE group_folder IS NOT NULL;

-- A variant for one group.
CREATE TABLE skill_overrides (
	skill TEXT NOT NULL,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	version TEXT NOT NULL,
	content TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	version_id INTEGER NOT NULL REFERENCES skill_versions (id) ON DELETE CASCADE,
	made_by TEXT NOT NULL,
	made_at TEXT NOT NULL,
	PRIMARY KEY (skill, group_folder)
) STRICT;

CREATE INDEX skill_overrides_group ON skill_overrides (group_folder);

-- Which groups have a skill. It stays when the file is gone, and counts when it is back.
CREATE TABLE skill_assignments (
	skill TEXT NOT NULL,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	assigned_by TEXT NOT NULL,
	assigned_at TEXT NOT NULL,
	PRIMARY KEY (skill, group_folder)
) STRICT;

CREATE INDEX skill_assignments_group ON skill_assignments (group_folder);

-- The life of a skill: who brought it from which status to which, and when.
CREATE TABLE skill_events (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	skill TEXT NOT NULL,
	origin TEXT NOT NULL,
	from_status TEXT,
	to_status TEXT NOT NULL,
	who TEXT NOT NULL,
	at TEXT NOT NULL
) STRICT;

CREATE INDEX skill_events_skill ON skill_events (skill);

-- What files were when they were read last: those that are the same are not read again.
CREATE TABLE skill_files (
	path TEXT PRIMARY KEY,
	skill TEXT NOT NULL,
	content_hash TEXT NOT NULL,
	device INTEGER NOT NULL,
	inode INTEGER NOT NULL,
	size INTEGER NOT NULL,
	mtime INTEGER NOT NULL,
	ctime INTEGER NOT NULL
) STRICT;

-- Each time that a skill was used, and with which content.
CREATE TABLE skill_uses (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	skill TEXT NOT NULL,
	version_id INTEGER NOT NULL REFERENCES skill_versions (id) ON DELETE CASCADE,
	group_folder TEXT NOT NULL REFERENCES registered_groups (folder) ON DELETE CASCADE,
	started_by TEXT NOT NULL CHECK (started_by IN ('command', 'schedule', 'person')),
	message INTEGER,
	turn INTEGER,
	started_at TEXT NOT NULL,
	ended_at TEXT,
	outcome TEXT NOT NULL DEFAULT 'running'
		CHECK (outcome IN ('running', 'completed', 'failed', 'refused')),
	asked_at TEXT
) STRICT;

CREATE INDEX skill_uses_version ON skill_uses (version_id);
CREATE INDEX skill_uses_group ON skill_uses (group_folder, skill);
CREATE INDEX skill_uses_turn ON skill_uses (turn) WHERE turn IS NOT NULL;

-- What people said of a use; the score is in thousandths, from 0 to 1000.
CREATE TABLE skill_feedback (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	use_id INTEGER NOT NULL REFERENCES skill_uses (id) ON DELETE CASCADE,
	question TEXT NOT NULL,
	answer TEXT NOT NULL,
	score INTEGER CHECK (score BETWEEN 0 AND 1000),
	at TEXT NOT NULL
) STRICT;

CREATE INDEX skill_feedback_use ON skill_feedback (use_id);
