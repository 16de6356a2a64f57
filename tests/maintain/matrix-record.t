# a resolution is shipped once the entry has passed with that resolution alone
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
test: grep -q A a.txt
-- skills/a/modify/a.txt --
one
two A
three
-- skills/b/manifest.yaml --
skill: b
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
test: grep -q B a.txt
-- skills/b/modify/a.txt --
one
two B
three
-- good.sh --
cat >/dev/null; echo asked >>"$HOME/asked"
sed -i -e '/^<<<<<<</i two A and B' -e '/^<<<<<<</,/^>>>>>>>/d' a.txt
-- fails.sh --
cat >/dev/null
sed -i -e '/^<<<<<<</i two A and C' -e '/^<<<<<<</,/^>>>>>>>/d' a.txt
-- run.sh --
nanoclaw matrix run -j 2 "$@" >"$HOME/out"; code=$?
sed '1,/^entry/{/^entry/!d}; s/ *[0-9]*\.[0-9] *$//; s/ *[0-9]*\.[0-9]  /  /; s/ ([0-9.]* s)//' "$HOME/out"
exit $code
== run ==
$ sh run.sh
? 1
> entry      result       seconds
> 1.0.0/a    passed
> 1.0.0/b    passed
> 1.0.0/a+b  conflict
>
> 1.0.0/a+b: conflict
>   apply a b: a conflict in 'a.txt' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/a+b --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/a+b.log
>
> 2 passed, 0 unchanged, 1 failed
$ sh run.sh --record
? 1
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  conflict
>
> 1.0.0/a+b: conflict
>   apply a b: a conflict in 'a.txt' without a known resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/a+b --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/a+b.log
>
> 0 passed, 2 unchanged, 1 failed
$ sh run.sh --record --resolver "sh $PWD/fails.sh"; ls .claude
? 2
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  test failed
>
> 1.0.0/a+b: test failed
>   the test of skill 'b' failed with exit code 1: grep -q B a.txt
>   log: .nanoclaw/matrix/1.0.0/a+b.log
>
> 0 passed, 2 unchanged, 1 failed
2> ls: cannot access '.claude': No such file or directory
$ sh run.sh --resolver "sh $PWD/good.sh"; ls .claude; rm "$HOME/asked"
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  passed  only here: 'nanoclaw matrix run --record' ships its resolution
>
> 1 passed, 2 unchanged, 0 failed
2> ls: cannot access '.claude': No such file or directory
$ sh run.sh --record --resolver "sh $PWD/good.sh"; cat "$HOME/asked"; ls .claude/resolutions/*; cat .claude/resolutions/*/a.txt.resolution
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  passed  its resolution is recorded
>
> 1 passed, 2 unchanged, 0 failed
> asked
> a.txt.preimage
> a.txt.resolution
> meta.yaml
> one
> two A and B
> three
$ sh run.sh --fresh; nanoclaw resolution check
> entry      result       seconds
> 1.0.0/a    passed
> 1.0.0/b    passed
> 1.0.0/a+b  passed  1 conflict resolved by shipped resolutions
>
> 3 passed, 0 unchanged, 0 failed
> 1 folder checked: no faults
$ sed -i 's/two A/two A!/' skills/a/modify/a.txt; sh run.sh --only 1.0.0/a+b
? 1
> entry      result       seconds
> 1.0.0/a+b  conflict
>
> 1.0.0/a+b: conflict
>   apply a b: a conflict in 'a.txt' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/a+b --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/a+b.log
>
> 0 passed, 0 unchanged, 1 failed
$ sed -i 's/two A!/two A/' skills/a/modify/a.txt; rm -r .claude; nanoclaw -q skill apply a; nanoclaw -q skill apply b
? 3
> a 1.0.0 applied
> b 1.0.0 paused
>
> To resolve:
>   a.txt: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ printf 'one\nA B\nthree\n' >a.txt; nanoclaw -q continue; cat a.txt
> b 1.0.0 applied
> one
> A B
> three
$ sh run.sh --record-into shipped; cat shipped/*/a.txt.resolution; grep source shipped/*/meta.yaml; nanoclaw status
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  passed  its resolution is recorded
>
> 1 passed, 2 unchanged, 0 failed
> one
> A B
> three
> resolution_source: maintainer
> core 1.0.0
>   a 1.0.0
>   b 1.0.0
# What was recorded here is used, too, and the remark names the command that ships it.
$ rm -r shipped; nanoclaw resolution record; rm -r .nanoclaw/rr-cache .nanoclaw/hunks; sh run.sh; ls .claude
? 2
> recorded in .nanoclaw/resolutions/a@1.0.0+b@1.0.0
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  passed  only here: 'nanoclaw matrix run --record' ships its resolution
>
> 1 passed, 2 unchanged, 0 failed
2> ls: cannot access '.claude': No such file or directory
$ sh run.sh --record; cat .claude/resolutions/*/a.txt.resolution; sh run.sh --fresh
> entry      result       seconds
> 1.0.0/a    passed             -  unchanged, passed before
> 1.0.0/b    passed             -  unchanged, passed before
> 1.0.0/a+b  passed  its resolution is recorded
>
> 1 passed, 2 unchanged, 0 failed
> one
> A B
> three
> entry      result       seconds
> 1.0.0/a    passed
> 1.0.0/b    passed
> 1.0.0/a+b  passed  1 conflict resolved by shipped resolutions
>
> 3 passed, 0 unchanged, 0 failed
$ sh run.sh --record-into .nanoclaw/base
? 2
2> error: '--record-into': '.nanoclaw/base' cannot hold resolutions
2> hint: '.claude/resolutions' is shipped with the project
