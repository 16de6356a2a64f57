# completions include names that only a project knows
ignore: .nanoclaw store data groups container
-- .claude/skills/polite/manifest.yaml --
skill: polite
version: 1.0.0
description: says please
core_version: 1.0.0
adds: []
modifies: []
-- bridges/demo.json --
{"command": ["python3", "bridges/demo/bridge.py"], "env": []}
== run ==
$ nanoclaw complete -- skill ap
> apply	apply skills to this project, all or nothing
$ nanoclaw complete -- --json skill apply po
> :folders
> polite	says please
$ nanoclaw complete -- skill apply --resolver claude --on-drift a
> abort
$ nanoclaw complete -- skill apply --on-drift=a
> --on-drift=abort
$ nanoclaw -q group add slack:C1 Developers --folder dev
> registered, with the folder 'groups/dev'
> messages that begin with '@Andy' are answered
$ nanoclaw complete -- send d
> dev	Developers
$ nanoclaw complete -- send dev d
$ nanoclaw complete -- usage ''
> main	Main
> dev	Developers
$ nanoclaw complete -- channel login d
> demo	python3
$ nanoclaw complete -- group config dev limits.s
> limits.seconds
$ nanoclaw -q task add dev --every 1h "$(printf 'water\tthe plants\nagain')"
> task 1 is scheduled; it runs next at [..]
$ nanoclaw complete -- task pause ''
> 1	water?the plants
# It is in no list, and is wrong about nothing.
$ nanoclaw help | grep -c '^  complete '
? 1
> 0
$ nanoclaw help --man | grep -c 'nanoclaw complete'
? 1
> 0
$ nanoclaw complete -- -C nowhere send ''
$ nanoclaw complete -- nonsense ''
$ nanoclaw complete -- merge-file -- --
> :files
$ nanoclaw complete | head -n 1
> abort	undo a paused operation
