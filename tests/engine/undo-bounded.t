# the history has no more entries and bytes than it may have; the oldest goes first
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
a
x
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [large]
-- skills/y/modify/large --
large
== run ==
$ nanoclaw -q init
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$ nanoclaw -q customize start one; nanoclaw -q customize abort
$! NANOCLAW_HISTORY_ENTRIES=2 nanoclaw -q customize start two
$! nanoclaw undo --list
>   5  2001-02-03 04:05    0 files     812 B  customize start
>   4  2001-02-03 04:05    0 files     868 B  customize abort
$ ls .nanoclaw/history
> 4
> 5
$ nanoclaw -q customize abort
# 400,000 bytes are saved, and then twice as many: the file, and the skill as it was applied.
$ yes | head -c 400000 >large; cp large .nanoclaw/base/large
$ { cat large; echo y; } >skills/y/modify/large; nanoclaw -q skill apply y
> y 1.0.0 applied
$ { cat large; echo z; } >skills/y/modify/large; sed -i s/^version:.*/version:\ 1.0.1/ skills/y/manifest.yaml
$ nanoclaw undo --list
>   7  2001-02-03 04:05    1 file   391.4 KB  skill apply y
>   6  2001-02-03 04:05    0 files     868 B  customize abort
>   5  2001-02-03 04:05    0 files     812 B  customize start
>   4  2001-02-03 04:05    0 files     868 B  customize abort
$! NANOCLAW_HISTORY_MEGABYTES=1 nanoclaw -q skill apply y
> y 1.0.1 (before: 1.0.0) applied
$ nanoclaw undo --list
>   8  2001-02-03 04:05    1 file   782.9 KB  skill apply y
# The newest stays in any case.
$ sed -i s/^version:.*/version:\ 1.0.1/ skills/x/manifest.yaml; echo y >>skills/x/modify/a.txt
$! NANOCLAW_HISTORY_MEGABYTES=0 nanoclaw -q skill apply x
> x 1.0.1 (before: 1.0.0) applied
$ nanoclaw undo --list
>   9  2001-02-03 04:05    1 file     1.6 KB  skill apply x
$ NANOCLAW_HISTORY_ENTRIES=some nanoclaw customize start three
? 2
2> error: NANOCLAW_HISTORY_ENTRIES must be a number from 0 to 10000
2> hint: everything is as it was before
$ NANOCLAW_HISTORY_MEGABYTES=-1 nanoclaw customize start three
? 2
2> error: NANOCLAW_HISTORY_MEGABYTES must be a number from 0 to 1000000
2> hint: everything is as it was before
$ nanoclaw undo --list
>   9  2001-02-03 04:05    1 file     1.6 KB  skill apply x
$! NANOCLAW_HISTORY_ENTRIES=0 nanoclaw -q customize start three
$ nanoclaw undo --list; ls -I index .nanoclaw
> there is nothing to undo
> applied
> base
> base.sha256
> customize.yaml
> lock
> state.yaml
$ nanoclaw -q customize abort
$ nanoclaw undo --list
>   1  2001-02-03 04:05    0 files    1.5 KB  customize abort
$ rm large skills/y/modify/large
== after ==
-- a.txt --
a
x
y
-- skills/x/modify/a.txt --
a
x
y
-- !skills/y/modify/large --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.1
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/manifest.yaml --
skill: y
version: 1.0.1
core_version: 1.0.0
modifies: [large]
