# restore and import are refused while the host runs, without waiting; a backup is allowed
needs: sandbox sqlite3
ignore: logs store data log groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- old/groups/main/CLAUDE.md --
old
== run ==
$ mkdir old/store && sqlite3 old/store/messages.db 'CREATE TABLE chats (jid); CREATE TABLE messages (chat_jid); CREATE TABLE registered_groups (folder)'
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o 'is running' log
> is running
$ nanoclaw backup store/backups/b.tar.gz -q
> 'store/backups/b.tar.gz' holds 5 files, [..] KiB in [..] KiB
$ nanoclaw restore store/backups/b.tar.gz
? 4
2> error: the host is running; stop it before a restore
2> hint: stop it with 'nanoclaw stop', and start it again later
$ nanoclaw restore --undo
? 4
2> error: the host is running; stop it before a restore
2> hint: stop it with 'nanoclaw stop', and start it again later
$ nanoclaw import old
? 4
2> error: the host is running; stop it before an import
2> hint: stop it with 'nanoclaw stop', and start it again later
$ rm -r old/store
