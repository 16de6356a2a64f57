# the sample's matrix is green with the resolutions that it ships; without one, its conflict is named
tree: examples/postbox
ignore: .nanoclaw .nanoclaw/**
== run ==
$ nanoclaw resolution check && nanoclaw -q matrix run -j 2 | tail -n 1
> 3 folders checked: no faults
> 14 passed, 0 unchanged, 0 failed ([..] s)
$ rm -r '.claude/resolutions/polite@1.0.0+shout@1.0.0' && nanoclaw matrix run -j 2 | sed '1,/^$/d'
> 1.0.0/polite+shout: conflict
>   apply polite shout: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/polite+shout.log
>
> 1.0.0/diary+polite+shout: conflict
>   apply polite shout diary: a conflict in 'postbox' without a shipped resolution
>   hint: 'nanoclaw matrix run --only 1.0.0/diary+polite+shout --keep' leaves a copy to resolve it in; '--record --resolver claude' has it resolved
>   log: .nanoclaw/matrix/1.0.0/diary+polite+shout.log
>
> 0 passed, 12 unchanged, 2 failed ([..] s)
== after ==
-- !.claude/resolutions/polite@1.0.0+shout@1.0.0 --
