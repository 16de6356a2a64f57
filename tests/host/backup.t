# a backup is one private file that tar reads, without logs, secrets and what leads out; it comes back, and that is undone
needs: tar
ignore: store groups data
-- .env --
KEY=secret
export OTHER='x'
ASSISTANT_NAME="Tom's Ann"
NANOCLAW_AGENT=claude
NANOCLAW_TURN_TRIES=5
NANOCLAW_SEND_TRIES=sk-5
NANOCLAW_MODEL_KEY=55
-- groups/dev/notes.md --
first
-- groups/dev/logs/agent.log --
noise
-- groups/dev/inside -> notes.md --
-- groups/dev/outside -> /etc/passwd --
-- groups/dev/.claude-shared.md -> /app/CLAUDE.md --
-- data/sessions/dev/.claude/memory.md [600] --
likes tea
-- data/run/old.pid --
1
== run ==
$ nanoclaw backup ~/b.tar.gz
? 2
2> error: there is no assistant here yet: no 'store/nanoclaw.db'
$ nanoclaw group add slack:C1 Dev --folder dev
> registered, with the folder 'groups/dev'
> messages that begin with '@Tom's Ann' are answered
2> warning: no channel here serves 'slack:C1' yet; 'nanoclaw channel list' lists them
$ nanoclaw backup create
? 2
2> error: 'backup' takes the name of a file, not 'create'
2> hint: such as 'nanoclaw backup create.tar.gz'; '--list' lists those that the host makes
# Proved also in an installation that has made none yet.
$ nanoclaw -q backup ~/p.tar.gz --prove | grep -c holds
> 1
$ nanoclaw backup store/backups/b.tar.gz
> 'store/backups/b.tar.gz' holds 8 files, [..] KiB in [..] KiB
> settings that may be secrets are in it by name only; '--with-secrets' includes them
2> left out 'groups/dev/outside': a link that leads out
$ stat -c %a store/backups/b.tar.gz
> 600
$ tar tzf store/backups/b.tar.gz
> MANIFEST
> store/nanoclaw.db
> .env
> groups/
> groups/dev/
> groups/dev/CLAUDE.local.md
> groups/dev/container.json
> groups/dev/inside
> groups/dev/notes.md
> groups/main/
> groups/main/CLAUDE.local.md
> groups/main/container.json
> data/
> data/sessions/
> data/sessions/dev/
> data/sessions/dev/.claude/
> data/sessions/dev/.claude/memory.md
$ tar xzOf store/backups/b.tar.gz | grep -c secret
? 1
> 0
$ nanoclaw backup store/backups/b.tar.gz
? 2
2> error: 'store/backups/b.tar.gz' already exists
2> hint: choose another name, or replace it with '--force'
$ nanoclaw backup store/backups/b.tar.gz --force -q
> 'store/backups/b.tar.gz' holds 8 files, [..] KiB in [..] KiB
> settings that may be secrets are in it by name only; '--with-secrets' includes them
$ nanoclaw backup nowhere/b.tar.gz
? 1
2> error: cannot open the folder of 'nowhere/b.tar.gz': no such file or directory
$ mkdir store/backups/x && nanoclaw backup store/backups/x; rmdir store/backups/x
2> error: 'store/backups/x' is not a regular file
# In the project agents and git would take it.
$ nanoclaw backup b.tar.gz
? 2
2> error: 'b.tar.gz' is in the project, which agents and git may read
2> hint: choose a place outside, or 'store/backups/b.tar.gz'
$ nanoclaw backup groups/dev/b.tar.gz
? 2
2> error: 'groups/dev/b.tar.gz' is in the project, which agents and git may read
2> hint: choose a place outside, or 'store/backups/b.tar.gz'
# Everything changes, and comes back.
$ nanoclaw group add slack:C2 Ops --folder ops
> registered, with the folder 'groups/ops'
> messages that begin with '@Tom's Ann' are answered
2> warning: no channel here serves 'slack:C2' yet; 'nanoclaw channel list' lists them
$ echo second > groups/dev/notes.md && rm groups/dev/inside && printf 'OTHER=y\nNANOCLAW_TURN_TRIES=7' > .env
$ nanoclaw restore store/backups/b.tar.gz
> restored from 'store/backups/b.tar.gz' of 2001-02-03 04:05:06
> the old data is in 'store/restore/before'; 'nanoclaw restore --undo' swaps it back
2> '.env' has ASSISTANT_NAME again
2> '.env' has NANOCLAW_AGENT again
2> warning: '.env' has no KEY, which was set when the backup was made
2> warning: '.env' has no NANOCLAW_SEND_TRIES, which was set when the backup was made
2> warning: '.env' has no NANOCLAW_MODEL_KEY, which was set when the backup was made
$ cat .env
> OTHER=y
> NANOCLAW_TURN_TRIES=7
> ASSISTANT_NAME="Tom's Ann"
> NANOCLAW_AGENT=claude
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
> dev     slack:C1    Dev
$ cat groups/dev/inside data/sessions/dev/.claude/memory.md
> first
> likes tea
$ stat -c %a data/sessions/dev/.claude/memory.md
> 600
$ test -e groups/ops
? 1
$ nanoclaw restore --undo
> swapped with the data in 'store/restore/before'; 'nanoclaw restore --undo' again swaps back
$ cat groups/dev/notes.md && test -d groups/ops && cat groups/dev/logs/agent.log
> second
> noise
$ nanoclaw --json restore --undo
> {
>   "success": true,
>   "undone": true
> }
$ nanoclaw group list
> folder  jid         name
> main    local:main  Main
> dev     slack:C1    Dev
# Secrets go where they are asked for, and into no file that is there.
$ nanoclaw backup store/backups/s.tar.gz --with-secrets -q
> 'store/backups/s.tar.gz' holds 8 files, [..] KiB in [..] KiB
$ mkdir new && cd new && nanoclaw restore ../store/backups/s.tar.gz -q && stat -c %a .env && cat .env
> restored from '../store/backups/s.tar.gz' of 2001-02-03 04:05:06
> the old data is in 'store/restore/before'; 'nanoclaw restore --undo' swaps it back
> 600
> OTHER=y
> NANOCLAW_TURN_TRIES=7
> ASSISTANT_NAME="Tom's Ann"
> NANOCLAW_AGENT=claude
$ rm -r new
# Of one with secrets a '.env' that is there gets no others.
$ mkdir new && cd new && echo X=1 > .env && nanoclaw restore ../store/backups/s.tar.gz && cat .env; rm -r ../new
> restored from '../store/backups/s.tar.gz' of 2001-02-03 04:05:06
> the old data is in 'store/restore/before'; 'nanoclaw restore --undo' swaps it back
> X=1
> NANOCLAW_TURN_TRIES=7
> ASSISTANT_NAME="Tom's Ann"
> NANOCLAW_AGENT=claude
2> '.env' has NANOCLAW_TURN_TRIES again
2> '.env' has ASSISTANT_NAME again
2> '.env' has NANOCLAW_AGENT again
2> warning: '.env' has no OTHER, which was set when the backup was made
# Without secrets the name and the settings come along.
$ mkdir new && cd new && nanoclaw --json restore ../store/backups/b.tar.gz 2>/dev/null | grep -A 4 '"settings"'; cat .env; rm -r ../new
>   "settings": [
>     "ASSISTANT_NAME",
>     "NANOCLAW_AGENT",
>     "NANOCLAW_TURN_TRIES"
>   ],
> ASSISTANT_NAME="Tom's Ann"
> NANOCLAW_AGENT=claude
> NANOCLAW_TURN_TRIES=5
$ nanoclaw restore
? 2
2> error: name either a file or '--undo'
2> hint: see 'nanoclaw restore --help'
$ nanoclaw restore store/backups/b.tar.gz --undo
? 2
2> error: name either a file or '--undo'
2> hint: see 'nanoclaw restore --help'
$ nanoclaw restore nowhere.tar.gz
? 2
2> error: cannot open 'nowhere.tar.gz': no such file or directory
$ nanoclaw restore .env
? 2
2> error: '.env': it is not a gzip file, or is damaged
$ tar czf store/backups/plain.tar.gz .env && nanoclaw restore store/backups/plain.tar.gz
? 2
2> error: 'store/backups/plain.tar.gz': it is not a backup, or is damaged
2> hint: 'nanoclaw backup FILE' makes one
$ rm store/backups/b.tar.gz store/backups/s.tar.gz store/backups/plain.tar.gz
== after ==
-- .env [600] --
OTHER=y
NANOCLAW_TURN_TRIES=7
ASSISTANT_NAME="Tom's Ann"
NANOCLAW_AGENT=claude
