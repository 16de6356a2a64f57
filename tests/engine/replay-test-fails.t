# a test that fails leaves no installation, and no new folder
unlisted: p
-- p/VERSION --
1.0.0
-- p/a.txt --
one
-- p/skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
adds: [x.txt]
test: test -e data/ok
-- p/skills/x/add/x.txt --
x
-- empty/ --
== run ==
# Nothing in 'data' is recorded.
$ cd p; mkdir data; touch data/ok; nanoclaw -q skill apply x; nanoclaw replay
> x 1.0.0 applied
> 1 skill and 0 patches replayed: 1 file is as recorded
> 1 test passed
$ nanoclaw -C p replay --into ../new; ls
> empty
> p
2> error: the test of skill 'x' failed with exit code 1: test -e data/ok
2> hint: everything is as it was before
$ nanoclaw -C p replay --into ../empty; ls -A empty
2> error: the test of skill 'x' failed with exit code 1: test -e data/ok
2> hint: everything is as it was before
$ rm p/x.txt p/data/ok; nanoclaw -C p replay; ls p
> VERSION
> a.txt
> data
> skills
2> error: the test of skill 'x' failed with exit code 1: test -e data/ok
2> hint: everything is as it was before
$ nanoclaw -C p replay --no-test; ls p
> 1 skill and 0 patches replayed: 1 file is as recorded
>   restored  x.txt: it was missing, and is restored
> VERSION
> a.txt
> data
> skills
> x.txt
