# a learned resolution never drops a line, applies only to its own set of skills, and is found in both stores
needs: git
ignore: *
-- VERSION --
1.0.0
-- core/f --
1
2
3
4
5
6
7
8
9
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/c/manifest.yaml --
skill: c
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- skills/d/manifest.yaml --
skill: d
version: 1.0.0
core_version: 1.0.0
modifies: [f]
-- fresh.sh --
rm -rf p; mkdir p; cp -r core/f VERSION skills p; mkdir p/.nanoclaw 2>/dev/null
for x in rr-cache hunks resolutions; do [ ! -d learned/$x ] || cp -r learned/$x p/.nanoclaw; done
rmdir p/.nanoclaw 2>/dev/null
cd p
for s in a b c d; do mkdir -p skills/$s/modify; done
(echo import x; cat f) >skills/a/modify/f
sed 's/^5$/import x\nfoo_b/' f >skills/b/modify/f
sed 's/^5$/foo_c/' f >skills/c/modify/f
sed 's/^9$/9 d/' f >skills/d/modify/f
-- learn.sh --
rm -rf learned; mkdir learned; cp -r p/.nanoclaw/rr-cache p/.nanoclaw/hunks learned 2>/dev/null; true
== run ==
# The resolution drops 'import x' from the hunk, because the line is also at the top. Elsewhere it is not.
$ sh fresh.sh; cd p; nanoclaw -q skill apply a b; nanoclaw -q skill apply c >/dev/null; sed -i '/^[<|=>]\{7\}/d; /^5$/d' f; awk '!seen[$0]++' f >g; mv g f; nanoclaw -q continue; cat f
> a 1.0.0 applied
> b 1.0.0 applied
> c 1.0.0 applied
> import x
> 1
> 2
> 3
> 4
> foo_b
> foo_c
> 6
> 7
> 8
> 9
$ sh learn.sh; sh fresh.sh; cd p; nanoclaw -q skill apply b; nanoclaw skill apply c | head -n 2; grep -c 'import x' f
> b 1.0.0 applied
> c 1.0.0 paused
>   CONFLICT  f
> 1
# A marker of ours that is left in the file is seen, whatever the file's own lines look like.
$ cd p; sed -i '/^[<|>]\{7\}/d' f; nanoclaw continue | head -n 1; sed -i '/^=======$/d' f; nanoclaw continue
> c 1.0.0 paused
> c 1.0.0 applied
2> warning: 'f' still has conflict markers
# Three skills in one batch: the record for two of them works for two, and for three.
$ rm -rf learned; sh fresh.sh; cd p; nanoclaw -q skill apply b c d >/dev/null; sed -i '/^[<|=>]\{7\}/d; /^5$/d' f; nanoclaw -q continue; nanoclaw -q resolution record
> b 1.0.0 applied
> c 1.0.0 applied
> d 1.0.0 applied
> recorded in .nanoclaw/resolutions/b@1.0.0+c@1.0.0
$ mkdir -p learned; cp -r p/.nanoclaw/resolutions learned; sh fresh.sh; cd p; nanoclaw -q skill apply b c d; rm -r .nanoclaw/base* .nanoclaw/applied .nanoclaw/state.yaml; cp ../core/f f; nanoclaw -q skill apply b c
> b 1.0.0 applied
> c 1.0.0 applied
> d 1.0.0 applied
> b 1.0.0 applied
> c 1.0.0 applied
# Resolutions learned before git had a store are found in ours.
$ rm -rf learned; sh fresh.sh; cd p; nanoclaw -q skill apply b; nanoclaw -q skill apply c >/dev/null; sed -i '/^[<|=>]\{7\}/d; /^5$/d; s/^8$/8 more/' f; nanoclaw -q continue; cd ..; sh learn.sh; sh fresh.sh; cd p; git init -q; git config rerere.enabled true; nanoclaw -q skill apply b; nanoclaw skill apply c; rm -rf ../p ../learned
> b 1.0.0 applied
> c 1.0.0 applied
> b 1.0.0 applied
> c 1.0.0 applied
>   resolved  f
