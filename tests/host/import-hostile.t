# oversized data of an old agent or a stranger is cut or left out of an import
needs: sqlite3
ignore: store old data groups
-- old/groups/family/small --
x
-- schema.sql --
CREATE TABLE chats (jid TEXT PRIMARY KEY, name TEXT, last_message_time TEXT);
CREATE TABLE messages (id TEXT, chat_jid TEXT, sender TEXT, sender_name TEXT, content TEXT, timestamp TEXT, is_from_me INTEGER, PRIMARY KEY (id, chat_jid));
CREATE TABLE registered_groups (jid TEXT PRIMARY KEY, name TEXT NOT NULL, folder TEXT NOT NULL UNIQUE, trigger_pattern TEXT NOT NULL, added_at TEXT NOT NULL, container_config TEXT, requires_trigger INTEGER DEFAULT 1);
INSERT INTO registered_groups VALUES ('2@g.us', 'Family', 'family', '@Andy', '2026-01-02T00:00:00.000Z', NULL, 1);
INSERT INTO chats VALUES ('2@g.us', 'Family' || char(10) || 'x', '2026-01-05T00:00:00.000Z');
INSERT INTO messages VALUES
 ('a', '2@g.us', 's', 'Ann' || char(10) || 'Bob: yes', printf('%.*c', 1000000, 'x'), '2026-01-03T00:00:00.000Z', 0),
 ('b', '2@g.us', 's', printf('%.*c', 150, 'ä'), 'b', '2026-01-03T00:00:00.000Z', 0),
 ('c', '2@g.us', printf('%.*c', 300, 's'), 'Ann', 'c', '2026-01-03T00:00:00.000Z', 0);
== run ==
$ mkdir old/store; sqlite3 old/store/messages.db < schema.sql; truncate -s 3G old/groups/family/hole
$ nanoclaw import old; rm old/groups/family/hole
> taken: groups 1, chats 1, messages 2, tasks 0, runs 0, files 1, settings 0
> left out: 'groups/family/hole': the folder would have more than 2048 MB
> left out: 1 message: without an id or a time, or not in UTF-8
$ sqlite3 store/nanoclaw.db 'SELECT id, length(content), length(CAST(sender_name AS BLOB)), instr(sender_name, char(10)) FROM messages; SELECT name FROM chats WHERE jid = "2@g.us"'
> a|262144|12|0
> b|1|200|0
> Family x
