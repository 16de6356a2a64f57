# a conflict that this project resolved from its own memory can be recorded; one that a shipped resolution resolved is shipped already
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/x/modify/a.txt --
one
TWO
three
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/y/modify/a.txt --
one
two!
three
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q skill apply y >/dev/null
? 3
> x 1.0.0 applied
$ printf 'one\nTWO!\nthree\n' >a.txt; nanoclaw -q continue; nanoclaw -q undo; nanoclaw resolution record
? 2
> y 1.0.0 applied
2> error: there is no resolved conflict to record
2> hint: when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command
# From the recording of an earlier resolution.
$! nanoclaw skill apply y
> y 1.0.0 applied
>   resolved  a.txt
$ nanoclaw resolution record; cat .nanoclaw/resolutions/*/a.txt.resolution; nanoclaw resolution check
> recorded in .nanoclaw/resolutions/x@1.0.0+y@1.0.0
> one
> TWO!
> three
> 1 folder checked: no faults
# From a recorded resolution of its own: to ship it.
$ cp -r .nanoclaw/resolutions own; nanoclaw -q undo; nanoclaw -q undo; rm -r .nanoclaw/rr-cache; mv own .nanoclaw/resolutions
$ nanoclaw skill apply y; nanoclaw resolution record --source maintainer --into .claude/resolutions
> y 1.0.0 applied
>   resolved  a.txt
> recorded in .claude/resolutions/x@1.0.0+y@1.0.0
$ nanoclaw resolution list
> skills           files  source      tested  date        whose
> x@1.0.0+y@1.0.0      1  user        no      2001-02-03  own
> x@1.0.0+y@1.0.0      1  maintainer  no      2001-02-03  shipped
# From a shipped one: it is nothing new.
$ cp -r .claude/resolutions shipped; nanoclaw -q undo; nanoclaw -q undo; rm -r .nanoclaw/resolutions; mkdir -p .claude; mv shipped .claude/resolutions
$ nanoclaw skill apply y; nanoclaw resolution record
? 2
> y 1.0.0 applied
>   resolved  a.txt
2> error: there is no resolved conflict to record
2> hint: when an operation pauses on a conflict, resolve it, run 'nanoclaw continue', and then this command
