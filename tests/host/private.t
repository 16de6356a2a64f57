# the assistant's files are private, whatever the umask; existing open files are closed at the start
ignore: store data groups logs container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
needs: bwrap tar
-- b.sh [755] --
#!/bin/sh
umask 000
exec nanoclaw "$@"
== run ==
$ ./b.sh -q group add slack:C1 Dev --folder dev --instructions 'Be brief.'
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
$ find store groups ! -type l -perm /077
$ echo 'remember tea' | ./b.sh -q start
> Noted: tea
$ find store groups data ! -type l -perm /077
$ ./b.sh -q backup store/backups/b.tar.gz
> [..]
$ stat -c %a store/backups/b.tar.gz
> 600
$ chmod -R a+rwx store groups data && echo notes | ./b.sh -q start
> 1. tea
$ find store groups data ! -type l -perm /077
# Files that were open when they were backed up are private after a restore.
$ chmod -R a+rwx groups data && ./b.sh -q backup store/backups/b.tar.gz --force && ./b.sh -q restore store/backups/b.tar.gz
> [..]
> [..]
> [..]
$ find groups data ! -type l -perm /077
$ rm store/backups/b.tar.gz
== after ==
