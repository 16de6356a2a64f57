# a resolver resolves conflicts before a person is asked; what it does wrong is not taken, with the reason
needs: python3
ignore: *
-- VERSION --
1.0.0
-- core/a.txt --
one
two
three
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/a/SKILL.md --
About a.
-- skills/a/modify/a.txt --
one
two A
three
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: grep -q 'two A and B' a.txt
-- skills/b/modify/a.txt --
one
two B
three
-- skills/b/modify/a.txt.intent.md --
# Intent
## Must-keep sections
- `two B` in some form
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: grep -q GOOD a.txt
-- skills/d/modify/a.txt --
one
two
three
D
-- fresh.sh --
rm -rf p; mkdir p; cp -r core/a.txt VERSION skills p; cd p; nanoclaw -q skill apply a
-- good.sh --
cat >"$(dirname "$0")/asked.json"
sed -i '/^[<|=>]\{7\}/d; /^two$/d; s/two A/two A and B (was: two B)/; /^two B/d' a.txt
-- keeps-markers.sh --
cat >/dev/null; echo more >>a.txt
-- drops.sh --
cat >/dev/null; sed -i '/^[<|=>]\{7\}/d; /^two$/d; s/two A/two A and B/; /^two B/d' a.txt
-- conflicted.sh --
sh "$(dirname "$0")/good.sh"; echo hacked >>"$PROJECT/a.txt"
-- elsewhere.sh --
sh "$(dirname "$0")/good.sh"; echo hacked >>"$PROJECT/VERSION"
== run ==
$ sh fresh.sh >/dev/null; cd p; nanoclaw skill apply b --resolver "sh $OLDPWD/good.sh"; cat a.txt; nanoclaw -q status
> b 1.0.0 applied
>   resolved  a.txt
> 1 test passed
> one
> two A and B (was: two B)
> three
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
# It was asked one document, with everything that is known.
$ python3 -c 'import json; d = json.load(open("p/../asked.json")); print(sorted(d), d["files"][0]["path"], repr(d["files"][0]["current"]), [s["name"] for s in d["skills"]])'; rm asked.json
> ['files', 'migration', 'operation', 'skills', 'state', 'testOutput', 'version'] a.txt 'one\ntwo A\nthree\n' ['a', 'b']
# And what it resolved is known from then on.
$ cd p; cp -r .nanoclaw/rr-cache .nanoclaw/hunks ..; cd ..; sh fresh.sh >/dev/null; cp -r rr-cache hunks p/.nanoclaw; rm -r rr-cache hunks; cd p; nanoclaw skill apply b
> b 1.0.0 applied
>   resolved  a.txt
> 1 test passed
# Wrong results are not accepted.
$ for r in keeps-markers drops elsewhere conflicted; do sh fresh.sh >/dev/null; (cd p; PROJECT=$PWD nanoclaw skill apply b --resolver "sh $OLDPWD/$r.sh" 2>&1 | grep -v '^ \|^$'; cat VERSION; nanoclaw -q abort); done
> warning: the resolver's result is discarded: it left conflict markers in 'a.txt'
> b 1.0.0 paused
> To resolve:
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> 1.0.0
> warning: the resolver's result is discarded: it dropped `two B` from 'a.txt', which skill 'b' says must be kept
> b 1.0.0 paused
> To resolve:
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> 1.0.0
> warning: the resolver's result is discarded: it changed 'VERSION' in the project, but may only edit its copies
> warning: the resolver changed 'VERSION', which was restored; its version is in '.nanoclaw/kept/VERSION'
> b 1.0.0 paused
> To resolve:
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> 1.0.0
> warning: the resolver's result is discarded: it changed 'a.txt' in the project, but may only edit its copies
> warning: the resolver changed 'a.txt', which was restored; its version is in '.nanoclaw/kept/a.txt'
> b 1.0.0 paused
> To resolve:
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
> 1.0.0
$ sh fresh.sh >/dev/null; cd p; NANOCLAW_RESOLVER_TIMEOUT=1 nanoclaw skill apply b --resolver 'sleep 100' 2>&1 | head -n 3; nanoclaw -q abort
> warning: the resolver's result is discarded: it took more than 1 seconds
> b 1.0.0 paused
>   CONFLICT  a.txt
# After a failed test it is asked once more, with the output; then the test decides.
$ sh fresh.sh >/dev/null; cd p; nanoclaw skill apply d --resolver 'cat >/dev/null; sed -i s/D/GOOD/ a.txt'; cat a.txt; nanoclaw -q status
> d 1.0.0 applied
>   merged    a.txt
>   resolved  a.txt
> 1 test passed
> one
> two A
> three
> GOOD
> core 1.0.0
>   a 1.0.0
>   d 1.0.0
$ sh fresh.sh >/dev/null; cd p; nanoclaw skill apply d --resolver 'cat >/dev/null; sed -i s/D/BAD/ a.txt'; cat a.txt; nanoclaw -q status
> one
> two A
> three
> core 1.0.0
>   a 1.0.0
2> error: the test of skill 'd' failed with exit code 1: grep -q GOOD a.txt
2> hint: everything is as it was before
# Also for a paused operation, and set by the environment.
$ sh fresh.sh >/dev/null; cd p; nanoclaw -q skill apply b >/dev/null; NANOCLAW_RESOLVER="sh $OLDPWD/good.sh" nanoclaw continue; cat a.txt; rm ../asked.json; rm -r ../p
> b 1.0.0 applied
> 1 test passed
> one
> two A and B (was: two B)
> three
2> warning: 'a.txt' still has conflict markers
