# a NanoClaw v1 is brought over without being changed; a second time there is nothing to take
needs: sqlite3
ignore: store
-- .env --
ASSISTANT_NAME=Andy
-- old/.env --
ASSISTANT_NAME=Andy
TZ="Europe/Berlin"
ANTHROPIC_API_KEY=sk-1
-- old/groups/global/CLAUDE.md --
Everybody is called Ann.
-- old/groups/main/CLAUDE.md --
I am main.
-- old/groups/main/logs/run.log --
noise
-- old/groups/family/CLAUDE.md --
We like tea.
-- old/groups/family/container.json --
{"agent": "/bin/sh", "network": {"hosts": ["*"]}, "limits": {"diskMegabytes": 1000000}}
-- old/groups/main/container.json --
this is no JSON
-- old/groups/family/plans/container.json --
a file of the group's own
-- old/groups/family/plans/trip.md --
To the sea.
-- old/groups/family/.claude-global.md -> ../global/CLAUDE.md --
-- old/groups/stray/CLAUDE.md --
nobody's
-- old/data/sessions/family/.claude/settings.json --
{}
-- old/data/sessions/family/.claude/skills/a/SKILL.md --
a
-- old/data/sessions/family/agent-runner-src/index.ts --
x
-- old/data/ipc/family/x.json --
{}
-- schema.sql --
CREATE TABLE chats (jid TEXT PRIMARY KEY, name TEXT, last_message_time TEXT, channel TEXT, is_group INTEGER DEFAULT 0);
CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT, sender_name TEXT, content TEXT, timestamp TEXT, is_from_me INTEGER, is_bot_message INTEGER DEFAULT 0, PRIMARY KEY (id, chat_jid), FOREIGN KEY (chat_jid) REFERENCES chats(jid));
CREATE TABLE scheduled_tasks (id TEXT PRIMARY KEY, group_folder TEXT NOT NULL, chat_jid TEXT NOT NULL, prompt TEXT NOT NULL, schedule_type TEXT NOT NULL, schedule_value TEXT NOT NULL, next_run TEXT, last_run TEXT, last_result TEXT, status TEXT DEFAULT 'active', created_at TEXT NOT NULL, context_mode TEXT DEFAULT 'isolated', script TEXT);
CREATE TABLE task_run_logs (id INTEGER PRIMARY KEY AUTOINCREMENT, task_id TEXT NOT NULL, run_at TEXT NOT NULL, duration_ms INTEGER NOT NULL, status TEXT NOT NULL, result TEXT, error TEXT, FOREIGN KEY (task_id) REFERENCES scheduled_tasks(id));
CREATE TABLE router_state (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE sessions (group_folder TEXT PRIMARY KEY, session_id TEXT NOT NULL);
CREATE TABLE registered_groups (jid TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL UNIQUE, trigger_pattern TEXT NOT NULL, added_at TEXT NOT NULL, container_config TEXT, requires_trigger INTEGER DEFAULT 1, is_main INTEGER DEFAULT 0);
CREATE TABLE reactions (emoji TEXT);
INSERT INTO registered_groups VALUES
 ('1@s.whatsapp.net', 'Me', 'main', '@Andy', '2026-01-01T00:00:00.000Z', NULL, 0, 1),
 ('2@g.us', 'Family', 'family', '@Bot', '2026-01-02T00:00:00.000Z', '{"additionalMounts":[]}', 1, 0),
 ('3@g.us', 'Evil', '../x', '@Andy', '2026-01-02T00:00:00.000Z', NULL, 1, 0);
INSERT INTO chats VALUES
 ('1@s.whatsapp.net', 'Me', '2026-01-05T00:00:00.000Z', 'local', 0),
 ('2@g.us', 'Family', '2026-01-05T00:00:00.000Z', 'whatsapp', 1),
 ('9@g.us', 'Neighbours', '2026-01-05T00:00:00.000Z', 'whatsapp', 1),
 ('__group_sync__', '__group_sync__', '2026-01-05T00:00:00.000Z', NULL, 0);
INSERT INTO messages VALUES
 ('a', '2@g.us', '5@lid', 'Ann', '@Bot hi', '2026-01-03T00:00:00.000Z', 0, 0),
 ('b', '2@g.us', 'bot', 'Andy', 'Andy: hello', '2026-01-03T00:00:01.000Z', 1, 1),
 ('c', '2@g.us', '5@lid', 'Ann', '@Bot and now?', '2026-01-04T00:00:01.000Z', 0, 0),
 ('d', '2@g.us', '5@lid', 'Ann', '', '2026-01-04T00:00:02.000Z', 0, 0),
 ('e', '2@g.us', '5@lid', 'Ann', 'when?', 'yesterday', 0, 0),
 ('f', '1@s.whatsapp.net', '1@lid', 'Me', 'hello', '2026-01-05T00:00:00.000Z', 0, 0);
INSERT INTO router_state VALUES
 ('last_timestamp', '2026-01-04T00:00:02.000Z'),
 ('last_agent_timestamp', '{"2@g.us":"2026-01-03T00:00:00.000Z"}');
INSERT INTO sessions VALUES ('family', 'abc');
INSERT INTO scheduled_tasks VALUES
 ('task-1', 'family', '2@g.us', 'the weather', 'cron', '0 9 * * *', '2099-01-01T08:00:00.000Z', '2026-01-03T08:00:10.000Z', 'fine', 'active', '2026-01-01T00:00:00.000Z', 'group', NULL),
 ('task-2', 'family', '2@g.us', 'a joke', 'interval', '3600000', NULL, NULL, NULL, 'paused', '2026-01-01T00:00:00.000Z', 'isolated', NULL),
 ('task-3', 'family', '2@g.us', 'done', 'once', '2026-02-01T15:30:00', NULL, NULL, NULL, 'completed', '2026-01-01T00:00:00.000Z', 'isolated', NULL),
 ('task-4', 'family', '2@g.us', 'scripted', 'cron', '0 9 * * *', NULL, NULL, NULL, 'active', '2026-01-01T00:00:00.000Z', 'isolated', 'echo'),
 ('task-5', 'family', '2@g.us', 'wrong', 'cron', 'often', NULL, NULL, NULL, 'active', '2026-01-01T00:00:00.000Z', 'isolated', NULL),
 ('task-6', 'gone', '8@g.us', 'orphan', 'cron', '0 9 * * *', NULL, NULL, NULL, 'active', '2026-01-01T00:00:00.000Z', 'isolated', NULL);
INSERT INTO task_run_logs (task_id, run_at, duration_ms, status, result) VALUES ('task-1', '2026-01-03T08:00:10.000Z', 10000, 'success', 'fine');
== run ==
$ nanoclaw import old
? 2
2> error: 'old' is not a NanoClaw v1: it has no 'store/messages.db'
2> hint: name the folder that holds 'store' and 'groups'
$ mkdir old/store && sqlite3 old/store/messages.db < schema.sql
$ (cd old && find . -type f | sort | xargs sha256sum && find . | sort) > before
$ nanoclaw import old --dry-run
> would be imported: groups 2, chats 3, messages 4, tasks 2, runs 1, files 6, settings 0
> left out: the container settings of group 'family': what the old container had, such as folders
> left out: group 'Evil': '../x' cannot be the folder of a group
> left out: 'groups/main/container.json': what bounds an agent is set here, with 'nanoclaw group config'
> left out: 'groups/main/logs': logs are not imported
> left out: 'groups/family/.claude-global.md': a symbolic link
> left out: 'groups/family/container.json' (agent, network, limits): what bounds an agent is set here, with 'nanoclaw group config'
> left out: 'data/sessions/family/.claude/skills': skills are installed there again
> left out: 'data/sessions/family/agent-runner-src': the program of the old container
> left out: 'data/ipc': requests to the old host
> left out: 'groups/stray': no imported group has this folder
> left out: 1 message: without a text
> left out: 1 message: without an id or a time, or not in UTF-8
> left out: task 'task-4': it runs a script in the old container
> left out: task 'task-5': a cron expression has five fields (minute, hour, day, month, weekday), not 1
> left out: task 'task-6': its group is not imported
> left out: 1 completed task: over
> left out: 1 session: conversations of Claude Code belong to a folder of the old container; new ones begin
> left out: table 'reactions': it is not from NanoClaw v1
> not set here: TZ
> not set here: ANTHROPIC_API_KEY
$ ls
> before
> old
> schema.sql
$ nanoclaw import old
> taken: groups 2, chats 3, messages 4, tasks 2, runs 1, files 6, settings 0
> left out: the container settings of group 'family': what the old container had, such as folders
> left out: group 'Evil': '../x' cannot be the folder of a group
> left out: 'groups/main/container.json': what bounds an agent is set here, with 'nanoclaw group config'
> left out: 'groups/main/logs': logs are not imported
> left out: 'groups/family/.claude-global.md': a symbolic link
> left out: 'groups/family/container.json' (agent, network, limits): what bounds an agent is set here, with 'nanoclaw group config'
> left out: 'data/sessions/family/.claude/skills': skills are installed there again
> left out: 'data/sessions/family/agent-runner-src': the program of the old container
> left out: 'data/ipc': requests to the old host
> left out: 'groups/stray': no imported group has this folder
> left out: 1 message: without a text
> left out: 1 message: without an id or a time, or not in UTF-8
> left out: task 'task-4': it runs a script in the old container
> left out: task 'task-5': a cron expression has five fields (minute, hour, day, month, weekday), not 1
> left out: task 'task-6': its group is not imported
> left out: 1 completed task: over
> left out: 1 session: conversations of Claude Code belong to a folder of the old container; new ones begin
> left out: table 'reactions': it is not from NanoClaw v1
> not set here: TZ
> not set here: ANTHROPIC_API_KEY
$ nanoclaw --json import old --with-secrets
> {
>   "chats": 0,
>   "dryRun": false,
>   "files": 0,
>   "groups": 0,
>   "leftOut": [
>     {
>       "reason": "what the old container had, such as folders",
>       "what": "the container settings of group 'family'"
>     },
>     {
>       "reason": "'../x' cannot be the folder of a group",
>       "what": "group 'Evil'"
>     },
>     {
>       "reason": "what bounds an agent is set here, with 'nanoclaw group config'",
>       "what": "'groups/main/container.json'"
>     },
>     {
>       "reason": "logs are not imported",
>       "what": "'groups/main/logs'"
>     },
>     {
>       "reason": "a symbolic link",
>       "what": "'groups/family/.claude-global.md'"
>     },
>     {
>       "reason": "what bounds an agent is set here, with 'nanoclaw group config'",
>       "what": "'groups/family/container.json' (agent, network, limits)"
>     },
>     {
>       "reason": "skills are installed there again",
>       "what": "'data/sessions/family/.claude/skills'"
>     },
>     {
>       "reason": "the program of the old container",
>       "what": "'data/sessions/family/agent-runner-src'"
>     },
>     {
>       "reason": "requests to the old host",
>       "what": "'data/ipc'"
>     },
>     {
>       "reason": "no imported group has this folder",
>       "what": "'groups/stray'"
>     },
>     {
>       "reason": "without a text",
>       "what": "1 message"
>     },
>     {
>       "reason": "without an id or a time, or not in UTF-8",
>       "what": "1 message"
>     },
>     {
>       "reason": "it runs a script in the old container",
>       "what": "task 'task-4'"
>     },
>     {
>       "reason": "a cron expression has five fields (minute, hour, day, month, weekday), not 1",
>       "what": "task 'task-5'"
>     },
>     {
>       "reason": "its group is not imported",
>       "what": "task 'task-6'"
>     },
>     {
>       "reason": "over",
>       "what": "1 completed task"
>     },
>     {
>       "reason": "conversations of Claude Code belong to a folder of the old container; new ones begin",
>       "what": "1 session"
>     },
>     {
>       "reason": "it is not from NanoClaw v1",
>       "what": "table 'reactions'"
>     }
>   ],
>   "messages": 0,
>   "missingSettings": [
>     "TZ",
>     "ANTHROPIC_API_KEY"
>   ],
>   "runs": 0,
>   "settings": 2,
>   "success": true,
>   "tasks": 0
> }
$ nanoclaw import old | head -n 1
> taken: groups 0, chats 0, messages 0, tasks 0, runs 0, files 0, settings 0
$ (cd old && find . -type f | sort | xargs sha256sum && find . | sort) | cmp - before
$ nanoclaw group list
> folder  jid               name
> main    1@s.whatsapp.net  Me
> family  2@g.us            Family
$ nanoclaw group list --chats
> jid               name        registered
> 1@s.whatsapp.net  Me          yes
> 2@g.us            Family      yes
> 9@g.us            Neighbours  no
> local:main        -           no
$ nanoclaw task list
> id  group   next run                        schedule     prompt
> 1   family  2099-01-01 09:00 Europe/Berlin  0 9 * * *    the weather
> 2   family  paused                          every 3600s  a joke
$ nanoclaw task runs 1
> due                       outcome     took  turn  result
> 2026-01-03T08:00:00.000Z  answered  10.0 s  -     fine
# What that program stored is not from our terminal, whatever it called its channel.
# Answered messages are done; later ones are context for the next answer.
$ sqlite3 store/nanoclaw.db 'SELECT id, sender_name, channel, group_folder, wants_answer, state, is_from_me FROM messages' 'SELECT * FROM cursors' 'PRAGMA integrity_check' 'PRAGMA foreign_key_check'
> f|Me|v1|main|0|received|0
> a|Ann|whatsapp|family|0|delivered|0
> b|Andy|whatsapp|family|0|delivered|1
> c|Ann|whatsapp|family|0|received|0
> 2@g.us|3
> ok
$ nanoclaw status
> no skills have been applied here
> assistant: not running ('nanoclaw start' starts it)
>   groups 2, messages 4, waiting 0, being answered 0
>   tasks 1, the next one at 2099-01-01 08:00:00 UTC
$ rm -r before old/store
== after ==
-- .env [600] --
ASSISTANT_NAME=Andy
TZ='Europe/Berlin'
ANTHROPIC_API_KEY=sk-1
-- data/ [700] --
-- data/global.md [600] --
Everybody is called Ann.
-- data/sessions/ [700] --
-- data/sessions/family/ [700] --
-- data/sessions/family/.claude/ [700] --
-- data/sessions/family/.claude/settings.json [600] --
{}
-- groups/ [700] --
-- groups/family/ [700] --
-- groups/family/CLAUDE.local.md [600] --
We like tea.
-- groups/family/plans/ [700] --
-- groups/family/plans/container.json [600] --
a file of the group's own
-- groups/family/plans/trip.md [600] --
To the sea.
-- groups/main/ [700] --
-- groups/main/CLAUDE.local.md [600] --
I am main.
-- groups/main/container.json [600] --
{}
-- groups/main/logs/ [700] --
