# a patch that turns a link into a file, or the other way round, is recorded again, and nothing counts as edited
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
a
-- b.txt --
b
-- link -> a.txt --
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
-- skills/x/add/x.txt --
x
== run ==
$ nanoclaw -q skill apply x; nanoclaw -q customize start turned
> x 1.0.0 applied
$ rm link b.txt; echo 'a file now' > link; ln -s a.txt b.txt; nanoclaw -q customize commit
> recorded as 001-turned
$ rm .nanoclaw/state.yaml; nanoclaw --yes doctor --fix | grep recovery
> warning  recovery     lost: '.nanoclaw/state.yaml' is lost; it is rebuilt from other data
> warning  recovery     guess: an older state is in the history; its entries are used for layers that are still the same
> ok       recovery     sure: skill 'x' 1.0.0 is applied: its pack is intact
> ok       recovery     sure: patch '001-turned': its description and place are in its note
> ok       recovery     the records were rebuilt; your files are unchanged
$ nanoclaw status; nanoclaw verify
> core 1.0.0
>   x 1.0.0
>   001-turned (custom patch)
> 15 files checked: all as recorded
== after ==
-- b.txt -> a.txt --
-- link --
a file now
-- x.txt --
x
