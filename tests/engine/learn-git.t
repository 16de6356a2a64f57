# where git keeps rerere recordings, ours are among them, and plain git uses them; nothing else in .git changes
needs: git
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/a/manifest.yaml --
skill: a
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/a/modify/a.txt --
one
two A
three
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/b/modify/a.txt --
one
two B
three
-- sums.sh --
# All of .git but its rr-cache.
find .git -path .git/rr-cache -prune -o -type f -print0 | sort -z | xargs -0 sha256sum
== run ==
$ git init -q; git add -A; git commit -qm core; git config rerere.enabled true; sh sums.sh >../sums
$ nanoclaw -q skill apply a; nanoclaw -q skill apply b >/dev/null; ls .git/rr-cache/*; nanoclaw -q abort; ls .git/rr-cache/*
> a 1.0.0 applied
> preimage
> preimage
$ nanoclaw -q skill apply b >/dev/null; sed -i '/^[<|=>]\{7\}/d; /^two$/d; s/two A/two A and B/; /two B/d' a.txt; nanoclaw -q continue; ls .git/rr-cache/* .nanoclaw/rr-cache; sh sums.sh | diff ../sums - && echo the rest is as it was
> b 1.0.0 applied
> .git/rr-cache/b34e052fbf9c216c0410e3237d9dd41c39cf1f88:
> postimage
> preimage
> the rest is as it was
2> ls: cannot access '.nanoclaw/rr-cache': No such file or directory
# The same conflict for git itself.
$ git checkout -q -b one; git checkout -q -- a.txt; sed -i 's/two/two A/' a.txt; git commit -qam A; git checkout -q -b other HEAD~; sed -i 's/two/two B/' a.txt; git commit -qam B; git merge -q one; cat a.txt
> Auto-merging a.txt
> CONFLICT (content): Merge conflict in a.txt
> Automatic merge failed; fix conflicts and then commit the result.
> one
> two A and B
> three
2> Resolved 'a.txt' using previous resolution.
# And what git learned is used by us. Without rr-cache nothing is made there.
$ git merge --abort; git checkout -q one~; cp -r . ../second; cd ../second; rm -rf .nanoclaw; nanoclaw -q skill apply b; nanoclaw skill apply a; sed -n 2p a.txt
> b 1.0.0 applied
> a 1.0.0 applied
>   resolved  a.txt
> two A and B
$ cd ../second; git checkout -q -- .; rm -rf .nanoclaw .git/rr-cache; git config --unset rerere.enabled; nanoclaw -q skill apply a; nanoclaw -q skill apply b >/dev/null; ls -d .git/rr-cache; rm -r ../second ../sums
> a 1.0.0 applied
2> ls: cannot access '.git/rr-cache': No such file or directory
