# an import that does not fit with the groups here names them all, and takes nothing
needs: sqlite3
ignore: store
-- old/groups/family/CLAUDE.md --
theirs
-- schema.sql --
CREATE TABLE chats (jid TEXT PRIMARY KEY, name TEXT, last_message_time TEXT);
CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT, sender_name TEXT, content TEXT, timestamp TEXT, is_from_me INTEGER, PRIMARY KEY (id, chat_jid));
CREATE TABLE registered_groups (jid TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL UNIQUE, trigger_pattern TEXT NOT NULL, added_at TEXT NOT NULL, container_config TEXT, requires_trigger INTEGER DEFAULT 1);
INSERT INTO registered_groups VALUES
 ('1@g.us', 'Boss', 'main', '@Andy', '2026-01-01T00:00:00.000Z', NULL, 0),
 ('2@g.us', 'Family', 'family', '@Andy', '2026-01-02T00:00:00.000Z', NULL, 1),
 ('3@g.us', 'Work', 'work', '@Andy', '2026-01-02T00:00:00.000Z', NULL, 1);
== run ==
$ mkdir old/store && sqlite3 old/store/messages.db < schema.sql
$ nanoclaw group add 7@g.us Family --folder family --instructions ours
> registered, with the folder 'groups/family'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves '7@g.us' yet; 'nanoclaw channel list' lists them
$ nanoclaw group add 3@g.us Job --folder job
> registered, with the folder 'groups/job'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves '3@g.us' yet; 'nanoclaw channel list' lists them
$ nanoclaw import old
? 2
2> error: the groups of the two installations do not fit together: the folder 'family' belongs to '7@g.us' here and to '2@g.us' there; '3@g.us' is 'job' here and 'work' there
2> hint: 'nanoclaw group remove' removes a group here
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
> family  7@g.us      Family
> job     3@g.us      Job
# A database that is damaged, or of something else.
$ printf 'no database' > old/store/messages.db && nanoclaw import old
? 2
2> error: the database of the old NanoClaw: file is not a database
$ rm old/store/messages.db && sqlite3 old/store/messages.db 'CREATE TABLE chats (jid)' && nanoclaw import old
? 2
2> error: the database is not that of a NanoClaw v1: it has no registered groups
2> hint: if it is older, start the old NanoClaw once: it migrates its own database
# Without conflicts it goes through, the older schema as well; files here stay.
$ nanoclaw -q group remove job --yes && nanoclaw -q group remove family --yes
> 'job' is removed
> 'family' is removed
$ rm old/store/messages.db && sqlite3 old/store/messages.db < schema.sql
$ mkdir groups/family && echo mine > groups/family/CLAUDE.local.md
$ nanoclaw import old
> taken: groups 3, chats 2, messages 0, tasks 0, runs 0, files 0, settings 0
> left out: 'groups/family/CLAUDE.md': a different one exists here
$ nanoclaw group list
> folder  jid     name
> main    1@g.us  Boss
> family  2@g.us  Family
> work    3@g.us  Work
$ rm -r old/store
== after ==
-- data/ [700] --
-- data/sessions/ [700] --
-- groups/ [700] --
-- groups/family/ --
-- groups/family/CLAUDE.local.md --
mine
-- groups/main/ [700] --
-- groups/main/CLAUDE.local.md [600] --
-- groups/main/container.json [600] --
{}
-- groups/main/logs/ [700] --
