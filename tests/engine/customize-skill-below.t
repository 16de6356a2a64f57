# a patch that is tied to a skill lies below the skills that were applied later: their lines are not its lines
ignore: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
six
-- b.txt --
one
-- skills/low/manifest.yaml --
skill: low
version: 1.0.0
core_version: 1.0.0
modifies: [b.txt]
-- skills/low/modify/b.txt --
one, with low
-- skills/high/manifest.yaml --
skill: high
version: 1.0.0
core_version: 1.0.0
adds: [c.txt]
modifies: [a.txt]
-- skills/high/add/c.txt --
c one
-- skills/high/modify/a.txt --
one, with high
two
three
four
five
six
-- skills/top/manifest.yaml --
skill: top
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/top/modify/a.txt --
one
two
three, with top
four
five
six
== run ==
$ nanoclaw -q skill apply low high
> low 1.0.0 applied
> high 1.0.0 applied
$ nanoclaw -q customize start --skill low mine
$ sed -i 's/^six$/six, mine/' a.txt
$ echo 'c two, mine' >>c.txt
$ nanoclaw -q customize commit
> recorded as low-mine
$ nanoclaw verify
> 14 files checked: all as recorded
$ grep "^[-+]" .nanoclaw/custom/low-mine.patch
> --- a/a.txt
> +++ b/a.txt
> -six
> +six, mine
> --- a/c.txt
> +++ b/c.txt
> +c two, mine
$ nanoclaw -q skill apply top
> top 1.0.0 applied
$ nanoclaw -q skill remove high --yes
> high 1.0.0 removed
$ cat a.txt
> one
> two
> three, with top
> four
> five
> six, mine
$ cat c.txt
> c one
> c two, mine
$ nanoclaw -q undo
$ nanoclaw -q skill remove low --yes
> low 1.0.0 removed
$ cat a.txt
> one, with high
> two
> three, with top
> four
> five
> six
$ cat c.txt
> c one
$ nanoclaw verify
> 9 files checked: all as recorded
$ nanoclaw -q skill remove high top --yes
> high 1.0.0 removed
> top 1.0.0 removed
