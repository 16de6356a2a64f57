# doctor looks at the assistant with its host down: store, programs, settings, privacy
needs: bwrap sqlite3
ignore: store data groups
-- bin/bwrap [755] --
#!/bin/sh
# A sandbox that works.
echo 'refused 14 of 14'
-- old/bwrap [755] --
#!/bin/sh
echo 'bwrap: No permissions to create new namespace' >&2
exit 1
-- holes/bwrap [755] --
#!/bin/sh
echo 'through: read a file of the host'
echo 'refused 13 of 14'
-- agent [755] --
#!/bin/sh
-- .env [600] --
NANOCLAW_AGENT=../../agent --key geheim
-- bridges/chat.json --
{"command": ["./agent", "geheim"]}
-- as [755] --
#!/bin/sh
# The answers of doctor about the assistant.
PATH=$PWD/bin:$PATH nanoclaw "$@" | sed '/^ok *\(clock\|disk\|leftovers\|libraries\|packages\|state\|zone\) /d'
== run ==
# The main group is made; nothing has happened yet.
$ nanoclaw -q group add slack:C1 Dev --folder dev
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
$ ./as doctor
> ok       env          nobody else can read '.env'
> ok       agents       the agents of all groups can be started: 2
> ok       budgets      no group is paused by its budget
> ok       bridges      their programs can be started: 1
> ok       host         it is not running, and nothing is waiting for it ('nanoclaw run')
> ok       settings     readable
> ok       limits       [..]
> ok       processes    none left by a dead host
> ok       sandbox      'bwrap' works here: it blocked all 14 escape attempts
> ok       store        SQLite finds no fault
> ok       private      nobody else can read messages
> ok       delivery     every text of the last week was delivered or is waiting
> ok       turns        none has been open for more than an hour
> ok       tasks        no task's last run failed
>
> nothing is broken
$ PATH=$PWD/old:$PATH nanoclaw -q doctor | grep -A 1 ' sandbox  '
> problem  sandbox      'bwrap' does not work here: bwrap: No permissions to create new namespace; the agent that NANOCLAW_AGENT names cannot run
>                       try: in a container or a chroot, [..]
$ PATH=$PWD/holes:$PATH nanoclaw -q doctor | grep -A 1 ' sandbox  '
> problem  sandbox      'bwrap' is not secure here: 1 of 14 escape attempts succeeded; through: read a file of the host; the agent that NANOCLAW_AGENT names cannot run
# Programs that are not there, and settings that cannot be: without the settings themselves.
$ chmod -x agent; ./as -q doctor; chmod +x agent
> problem  agents       the agent of group 'main' (NANOCLAW_AGENT): its program does not exist or cannot be run
> problem  agents       the agent of group 'dev' (NANOCLAW_AGENT): its program does not exist or cannot be run
> problem  bridges      'bridges/chat.json': its program does not exist or cannot be run
$ echo 'TZ=Nowhere' >>.env; env -u TZ ./as -q doctor
> warning  settings     the setting TZ is not a time zone name such as 'Europe/Berlin'
$ echo 'oops geheim' >>.env; ./as -q doctor
> problem  settings     .env:3:1: not a line like NAME=value; the host does not start
$ sed -i 2,3d .env; ./as -q doctor
# Others can look at messages.
$ chmod 755 store; ./as -q doctor; ./as doctor --fix | grep private; stat -c %a store
> warning  private      others can read 'store', which holds messages (its mode is 755)
>                       try: nanoclaw doctor --fix
> ok       private      others could read 'store'; fixed
> 700
# Messages wait without a host; some were given up, and a task has failed.
$ sqlite3 store/nanoclaw.db "INSERT INTO messages (id, chat_jid, sender, sender_name, content, timestamp, channel, group_folder, received_at, wants_answer) \
  VALUES ('1', 'slack:C1', 'u', 'U', 'hi', '2026-01-01T00:00:00.000Z', 'x', 'dev', strftime('%Y-%m-%dT%H:%M:%fZ', 'now', '+2 days'), 1); \
  INSERT INTO turns (id, group_folder, chat_jid, first_seq, last_seq, state, created_at) \
  VALUES (7, 'dev', 'slack:C1', 1, 1, 'claimed', '2026-01-01T00:00:00.000Z'); \
  INSERT INTO outbox (key, turn, group_folder, chat_jid, kind, part, parts, content, state, created_at, ended_at, attempts) \
  VALUES ('a', 7, 'dev', 'slack:C1', 'answer', 1, 1, 'x', 'dead', '2026-01-01T00:00:00.000Z', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'), 10), \
  ('b', 7, 'dev', 'slack:C1', 'answer', 1, 1, 'x', 'dead', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z', 10), \
  ('c', 7, 'dev', 'slack:C1', 'answer', 1, 1, 'x', 'waiting', '2026-01-01T00:00:00.000Z', NULL, 3); \
  INSERT INTO scheduled_tasks (id, group_folder, chat_jid, prompt, schedule_type, schedule_value, tz, missed, context_mode, anchor, created_at) \
  VALUES ('k1', 'dev', 'slack:C1', 'p', 'cron', '@daily', 'UTC', 'once', 'group', '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'); \
  INSERT INTO task_runs (task_id, scheduled_for, queued_at, ended_at, outcome) \
  VALUES ('k1', '1', '1', '1', 'failed')"
$ ./as -q doctor
> warning  host         it is not running; waiting messages and tasks: 4
>                       try: nanoclaw run
> problem  clock        the clock is or was wrong: the newest message is dated [..] minutes from now
>                       try: timedatectl set-ntp true
> warning  delivery     undeliverable texts in the last week: 1
>                       try: nanoclaw trace t7
> warning  delivery     waiting texts that failed at least three times: 1
>                       try: nanoclaw channel list
> warning  turns        turns open for more than an hour: 1
>                       try: nanoclaw trace t7
> warning  tasks        tasks whose last run failed: 1
>                       try: nanoclaw task runs k1
# Groups that cannot be read: no report on their agents and budgets.
$ cp store/nanoclaw.db saved.db; sqlite3 store/nanoclaw.db "UPDATE registered_groups SET folder = '../x' WHERE folder = 'dev'"
$ ./as doctor | grep -E '^[a-z]+ +(groups|agents|budgets) '; mv saved.db store/nanoclaw.db
> problem  groups       [..]
# What a backup would carry, and a restore refuse.
$ cp store/nanoclaw.db saved.db; sqlite3 store/nanoclaw.db "CREATE VIEW mine AS SELECT 1"
$ ./as doctor | grep -E '^[a-z]+ +store '; ./as backup store/backups/b.tar.gz >/dev/null; rm store/backups/b.tar.gz; mv saved.db store/nanoclaw.db
> problem  store        a backup of it would be refused: the store has a different schema than nanoclaw's: 'view mine'
2> warning: 'nanoclaw restore' refuses it as it is: the store has a different schema than nanoclaw's: 'view mine'
# Rows with dangling references; then a file that is not a database.
$ sqlite3 store/nanoclaw.db "DELETE FROM outbox; DELETE FROM messages; UPDATE task_runs SET task_id = 'k2'; DELETE FROM turns"; ./as -q doctor
> warning  host         it is not running; waiting messages and tasks: 1
>                       try: nanoclaw run
> problem  store        it is damaged: rows refer to missing rows: 1; no backup is known here: if you have none, move 'store/nanoclaw.db*' away to start over
>                       try: nanoclaw restore FILE
$ echo 'this was a store' >store/nanoclaw.db; rm -f store/nanoclaw.db-*; ./as -q doctor
> problem  store        the store '[dir]/store/nanoclaw.db': it is damaged: file is not a database; no backup is known here: if you have none, move 'store/nanoclaw.db*' away to start over
>                       try: nanoclaw restore FILE
$ rm store/nanoclaw.db; ./as doctor
> ok       env          nobody else can read '.env'
> ok       bridges      their programs can be started: 1
> ok       host         it is not running, and nothing is waiting for it ('nanoclaw run')
> ok       settings     readable
> ok       limits       [..]
> ok       processes    none left by a dead host
> ok       sandbox      'bwrap' works here: it blocked all 14 escape attempts
> ok       store        no store yet: 'nanoclaw start' creates it
> ok       private      nobody else can read messages
>
> nothing is broken
