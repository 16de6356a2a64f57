# a file that becomes a link, with a name too long for a copy beside it: the update is refused, and nothing is touched
unlisted: p/.nanoclaw
-- p/VERSION --
1.0.0
-- new/VERSION --
2.0.0
== run ==
$ long=$(printf 'x%.0s' $(seq 250)); echo core >p/$long; ln -s elsewhere new/$long; nanoclaw -C p -q init; echo mine >p/$long; nanoclaw -C p -q --yes update ../new --on-drift continue
? 2
2> error: path 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' (cut) has a component of more than 255 bytes
2> hint: everything is as it was before
$ cat p/xx* p/VERSION; rm p/xx* new/xx*
> mine
> 1.0.0
== after ==
