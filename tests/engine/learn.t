# a conflict that was resolved once is resolved again: other order, a third skill, another hunk, without git
unlisted: .nanoclaw
recover: cd p && nanoclaw status
-- VERSION --
1.0.0
-- core/a.txt --
one
two
three
four
five
six
seven
eight
nine
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/a/modify/a.txt --
one
two A
three
four
five
six
seven
eight
nine
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/b/modify/a.txt --
one
two B
three
four
five
six
seven
eight
nine
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/c/modify/a.txt --
one
two
three
four
five
six
seven
eight
nine C
-- fresh.sh --
# The original project, with the learned resolutions.
rm -rf p; mkdir p; cp -r core/a.txt VERSION skills p
[ ! -d learned ] || cp -r learned p/.nanoclaw
== run ==
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; nanoclaw skill apply b; sed -i '/^[<|=>]\{7\}/d; /^two$/d; s/two A/two A and B/; /two B/d' a.txt; cat a.txt
> a 1.0.0 applied
> b 1.0.0 paused
>   CONFLICT  a.txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> one
> two A and B
> three
> four
> five
> six
> seven
> eight
> nine
$! cd p; nanoclaw continue
> b 1.0.0 applied
$ cp -r p/.nanoclaw learned; rm -rf learned/base* learned/state.yaml learned/applied learned/objects learned/index learned/lock learned/settled.yaml learned/history; ls learned
> hunks
> rr-cache
# The other way round.
$ sh fresh.sh; cd p; nanoclaw -q skill apply b; nanoclaw skill apply a; sed -n 2p a.txt; nanoclaw status
> b 1.0.0 applied
> a 1.0.0 applied
>   resolved  a.txt
> two A and B
> core 1.0.0
>   b 1.0.0
>   a 1.0.0
# A third skill in between.
$ sh fresh.sh; cd p; nanoclaw -q skill apply a c; nanoclaw skill apply b; cat a.txt
> a 1.0.0 applied
> c 1.0.0 applied
> b 1.0.0 applied
>   resolved  a.txt
> one
> two A and B
> three
> four
> five
> six
> seven
> eight
> nine C
# Another conflict in the same file: only that one is asked.
$ sh fresh.sh; cd p; nanoclaw -q skill apply a; sed -i 's/nine/nine, mine/' a.txt; sed -i 's/nine/nine B/' skills/b/modify/a.txt
> a 1.0.0 applied
$ cd p; nanoclaw skill apply b --on-drift record; cat a.txt
> your changes are recorded as 001-changes-to-a-txt
> b 1.0.0 paused
>   CONFLICT  a.txt
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> one
> two A and B
> three
> four
> five
> six
> seven
> eight
> <<<<<<< yours
> nine, mine
> =======
> nine B
> >>>>>>> b 1.0.0
$ cd p; nanoclaw -q abort
# Something else in the same place: asked.
$ sh fresh.sh; cd p; sed -i 's/two B/two BB/' skills/b/modify/a.txt; nanoclaw -q skill apply a; nanoclaw -q skill apply b
? 3
> a 1.0.0 applied
> b 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cd p; nanoclaw -q abort
$ rm -r p learned
