# a clean merge that breaks another skill is noticed: the tests of all applied skills run, each once
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- a.txt --
one
two
three
four
five
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: echo x >> ../log; test $(wc -l < a.txt) -le 6
-- skills/x/modify/a.txt --
one
x
two
three
four
five
-- skills/y/manifest.yaml --
skill: y
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: echo x >> ../log; test $(wc -l < a.txt) -le 6
-- skills/y/modify/a.txt --
one
two
three
four
five
y
-- skills/z/manifest.yaml --
skill: z
version: 1.0.0
core_version: 1.0.0
adds: [z.txt]
-- skills/z/add/z.txt --
z
== run ==
$ nanoclaw -q skill apply x
> x 1.0.0 applied
$! nanoclaw -q skill apply y
? 5
2> error: the test of skill 'x' failed with exit code 1: echo x >> ../log; test $(wc -l < a.txt) -le 6
2> hint: everything is as it was before
$ nanoclaw status; cat a.txt
> core 1.0.0
>   x 1.0.0
> one
> x
> two
> three
> four
> five
$ nanoclaw -q customize start 'mine'; sed -i 's/^three/mine\n&/' a.txt
$! nanoclaw -q customize commit
? 5
2> error: the test of skill 'x' failed with exit code 1: echo x >> ../log; test $(wc -l < a.txt) -le 6
2> hint: everything is as it was before
$ nanoclaw -q customize commit --no-test
> recorded as 001-mine
# One command of two skills is run once.
$ rm ../log; nanoclaw -q skill apply y --no-test; sed -i /mine/d a.txt; sed -i /^y/d a.txt; nanoclaw skill apply z --on-drift continue; cat ../log
> y 1.0.0 applied
> z 1.0.0 applied
>   added     z.txt
> 1 test passed
> x
# Only the tests of new skills, also after a pause.
$ rm ../log; nanoclaw -q skill remove z --test new --on-drift continue; test -e ../log
? 1
> z 1.0.0 removed
$ nanoclaw skill apply z --test new --on-drift continue; test -e ../log
? 1
> z 1.0.0 applied
>   added     z.txt
$ nanoclaw skill apply z --test some
? 2
2> error: '--test' must be 'all' or 'new', not 'some'
== after ==
-- a.txt --
one
x
two
three
four
five
-- z.txt --
z
