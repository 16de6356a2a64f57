# a failed entry does not affect the others, is reported with its reason, and runs again each time
needs: python3
ignore: *
-- VERSION --
1.0.0
-- a.txt --
one
two
three
-- skills/bad/manifest.yaml --
skill: bad
version: 1.0.0
core_version: 1.0.0
adds: [bad.txt]
test: echo "this is <bad> & \"worse\""; exit 3
-- skills/bad/add/bad.txt --
bad
-- skills/good/manifest.yaml --
skill: good
version: 1.0.0
core_version: 1.0.0
adds: [good.txt]
test: test -e good.txt
-- skills/good/add/good.txt --
good
-- skills/slow/manifest.yaml --
skill: slow
version: 1.0.0
core_version: 1.0.0
adds: [slow.txt]
test: exec tail -f /dev/null
-- skills/slow/add/slow.txt --
slow
-- skills/edits/manifest.yaml --
skill: edits
version: 1.0.0
core_version: 1.0.0
adds: [edits.txt]
test: echo more >>a.txt
-- skills/edits/add/edits.txt --
edits
-- skills/one/manifest.yaml --
skill: one
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/one/modify/a.txt --
one
TWO
three
-- skills/other/manifest.yaml --
skill: other
version: 1.0.0
core_version: 1.0.0
modifies: [a.txt]
-- skills/other/modify/a.txt --
one
2
three
-- junit.py --
import sys, xml.etree.ElementTree as tree
root = tree.parse(sys.argv[1]).getroot()
print(root.tag, root.get("tests"), root.get("failures"), root.get("skipped"))
for case in root.iter("testcase"):
    print(case.get("classname"), case.get("name"), [(e.tag, e.get("type"), e.get("message")) for e in case])
    for e in case.iter("failure"):
        print(e.text)
-- run.sh --
nanoclaw matrix run "$@" >"$HOME/out"; code=$?
sed '1,/^entry/{/^entry/!d}; s/ *[0-9]*\.[0-9] *$//; s/ *[0-9]*\.[0-9]  /  /; s/ ([0-9.]* s)//' "$HOME/out"
exit $code
== run ==
$ sh run.sh -j 2 --skills bad,good --junit results.xml
? 5
> entry       result       seconds
> 1.0.0/bad   test failed
> 1.0.0/good  passed
>
> 1.0.0/bad: test failed
>   the test of skill 'bad' failed with exit code 3: echo "this is <bad> & \"worse\""; exit 3
>   log: .nanoclaw/matrix/1.0.0/bad.log
>
> 1 passed, 0 unchanged, 1 failed
$ python3 junit.py results.xml
> testsuites 2 1 0
> 1.0.0 1.0.0/bad [('failure', 'test failed', 'the test of skill \'bad\' failed with exit code 3: echo "this is <bad> & \\"worse\\""; exit 3')]
> the test of skill 'bad' failed with exit code 3: echo "this is <bad> & \"worse\""; exit 3
> == apply bad
> this is <bad> & "worse"
>   added     bad.txt (bad)
> test failed: the test of skill 'bad' failed with exit code 3: echo "this is <bad> & \"worse\""; exit 3
>
> 1.0.0 1.0.0/good []
$ sh run.sh --skills bad,good
? 5
> entry       result       seconds
> 1.0.0/bad   test failed
> 1.0.0/good  passed
>
> 1.0.0/bad: test failed
>   the test of skill 'bad' failed with exit code 3: echo "this is <bad> & \"worse\""; exit 3
>   log: .nanoclaw/matrix/1.0.0/bad.log
>
> 1 passed, 0 unchanged, 1 failed
$ sh run.sh --skills one,other,good,edits
? 1
> entry            result       seconds
> 1.0.0/edits      failed
> 1.0.0/good       passed             -  unchanged, passed before
> 1.0.0/one        passed
> 1.0.0/other      passed
> 1.0.0/one+other  conflict
>
> 1.0.0/edits: failed
>   after the skills were applied 'a.txt' is not as recorded (edited)
>   log: .nanoclaw/matrix/1.0.0/edits.log
>
> 1.0.0/one+other: conflict
>   apply one other: a conflict in 'a.txt' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/one+other --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/one+other.log
>
> 2 passed, 1 unchanged, 2 failed
$ sh run.sh --only 1.0.0/slow --timeout 1
? 1
> entry       result       seconds
> 1.0.0/slow  timed out
>
> 1.0.0/slow: timed out
>   it took more than 1 seconds
>   log: .nanoclaw/matrix/1.0.0/slow.log
>
> 0 passed, 0 unchanged, 1 failed
$ sh run.sh --only 1.0.0/slow --test-timeout 1
? 5
> entry       result       seconds
> 1.0.0/slow  test failed
>
> 1.0.0/slow: test failed
>   the test of skill 'slow' took more than 1 seconds: exec tail -f /dev/null
>   log: .nanoclaw/matrix/1.0.0/slow.log
>
> 0 passed, 0 unchanged, 1 failed
$ nanoclaw matrix run --junit nowhere/results.xml
? 2
2> error: cannot write 'nowhere/results.xml': no such file or directory
$ nanoclaw matrix run --only 1.0.0/one+other --keep >out; cd "$(sed -n 's/^  copy: //p' out)" && nanoclaw status && sed -i '/^[<|=>]\{7\}/d; /^two$/d; /^2$/d' a.txt && nanoclaw -q continue && nanoclaw resolution record --source maintainer --into .claude/resolutions && cd "$OLDPWD" && nanoclaw resolution import "$(sed -n 's/^  copy: //p' out)/.claude/resolutions" --into .claude/resolutions && rm -r "$(sed -n 's/^  copy: //p' out)"
> core 1.0.0
>
> 'skill apply' is paused; to resolve:
>   a.txt  (other)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
> one 1.0.0 applied
> other 1.0.0 applied
> recorded in .claude/resolutions/one@1.0.0+other@1.0.0
> one@1.0.0+other@1.0.0 imported, 1 file
$ sh run.sh --skills one,other
> entry            result       seconds
> 1.0.0/one        passed
> 1.0.0/other      passed
> 1.0.0/one+other  passed  1 conflict resolved by shipped resolutions
>
> 3 passed, 0 unchanged, 0 failed
$ rm -r skills/slow; echo 'skill: [' >skills/good/manifest.yaml; nanoclaw matrix
? 2
2> error: the package 'skills/good' is faulty
2> hint: 'nanoclaw skill check skills/good' shows its faults
