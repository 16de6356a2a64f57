# a run skips what has passed and is unchanged; a changed package, core or resolution runs its own entries again
tree: examples/postbox
ignore: *
-- run.sh --
# Run the matrix, without times and without what was said on the way.
nanoclaw matrix run -j 1 "$@" >"$HOME/out"; code=$?
sed '1,/^entry/{/^entry/!d}; s/ *[0-9]*\.[0-9] *$//; s/ *[0-9]*\.[0-9]  /  /; s/ ([0-9.]* s)//' "$HOME/out"
exit $code
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw matrix run -j 2 | sed '/^entry/,$d; s/^.[0-9/]*. //; s/ ([0-9.]* s)//' | LC_ALL=C sort
> conflict 1.0.0/diary+polite+shout
> conflict 1.0.0/polite+shout
> passed 1.0.0/brief
> passed 1.0.0/brief+diary-search
> passed 1.0.0/brief+diary-search+smile
> passed 1.0.0/brief+smile
> passed 1.0.0/diary
> passed 1.0.0/diary+polite
> passed 1.0.0/diary+shout
> passed 1.0.0/diary-search
> passed 1.0.0/diary-search+smile
> passed 1.0.0/polite
> passed 1.0.0/shout
> passed 1.0.0/smile
> to run, 0 unchanged
$ sh run.sh
? 1
> entry                           result       seconds
> 1.0.0/brief                     passed             -  unchanged, passed before
> 1.0.0/diary                     passed             -  unchanged, passed before
> 1.0.0/diary-search              passed             -  unchanged, passed before
> 1.0.0/polite                    passed             -  unchanged, passed before
> 1.0.0/shout                     passed             -  unchanged, passed before
> 1.0.0/smile                     passed             -  unchanged, passed before
> 1.0.0/brief+diary-search        passed             -  unchanged, passed before
> 1.0.0/brief+smile               passed             -  unchanged, passed before
> 1.0.0/diary+polite              passed             -  unchanged, passed before
> 1.0.0/diary+shout               passed             -  unchanged, passed before
> 1.0.0/diary-search+smile        passed             -  unchanged, passed before
> 1.0.0/polite+shout              conflict
> 1.0.0/brief+diary-search+smile  passed             -  unchanged, passed before
> 1.0.0/diary+polite+shout        conflict
>
> 1.0.0/polite+shout: conflict
>   apply polite shout: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/polite+shout.log
>
> 1.0.0/diary+polite+shout: conflict
>   apply diary polite shout: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/diary+polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/diary+polite+shout.log
>
> 0 passed, 12 unchanged, 2 failed
$ test -e .nanoclaw/state.yaml || echo the project is as it was; ls "$TMPDIR"
> the project is as it was
$ cat .nanoclaw/matrix/1.0.0/diary-search+smile.log
> == apply diary diary-search smile
>   added     lib/diary.sh (diary)
>   merged    postbox (diary)
>   merged    lib/answers.sh (diary-search)
>   merged    lib/diary.sh (diary-search)
>   merged    lib/answers.sh (smile)
> == apply diary smile diary-search
>   added     lib/diary.sh (diary)
>   merged    postbox (diary)
>   merged    lib/answers.sh (smile)
>   merged    lib/answers.sh (diary-search)
>   merged    lib/diary.sh (diary-search)
> the same files have already passed the tests
$ echo '# more' >>skills/smile/tests/smile.sh; sh run.sh | grep -v unchanged
> entry                           result       seconds
> 1.0.0/smile                     passed
> 1.0.0/brief+smile               passed
> 1.0.0/diary-search+smile        passed
> 1.0.0/polite+shout              conflict
> 1.0.0/brief+diary-search+smile  passed
> 1.0.0/diary+polite+shout        conflict
>
> 1.0.0/polite+shout: conflict
>   apply polite shout: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/polite+shout.log
>
> 1.0.0/diary+polite+shout: conflict
>   apply diary polite shout: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/diary+polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/diary+polite+shout.log
>
$ sh run.sh --fresh --only 1.0.0/smile,1.0.0/brief
> entry        result       seconds
> 1.0.0/brief  passed
> 1.0.0/smile  passed
>
> 2 passed, 0 unchanged, 0 failed
$ echo more >>README.md; sh run.sh | grep -c passed
> 13
$ nanoclaw matrix run --only 1.0.0/nobody
? 2
2> error: the matrix has no entry '1.0.0/nobody'
2> hint: 'nanoclaw matrix' shows them
$ nanoclaw matrix run -j 0
? 2
2> error: '-j' takes a number from 1 to 256, not '0'
$ nanoclaw --json matrix run --only 1.0.0/brief | sed 's/"seconds": .*/"seconds": 0/'
> {
>   "failed": 0,
>   "interrupted": false,
>   "notRun": 0,
>   "passed": 0,
>   "results": [
>     {
>       "core": "1.0.0",
>       "error": null,
>       "hint": null,
>       "id": "1.0.0/brief",
>       "kept": null,
>       "kind": "alone",
>       "learned": [],
>       "log": null,
>       "mergeConflicts": [],
>       "outcome": "unchanged",
>       "recorded": false,
>       "seconds": 0
>       "settled": [],
>       "skills": [
>         "brief"
>       ]
>     }
>   ],
>   "seconds": 0
>   "success": true,
>   "unchanged": 1
> }
