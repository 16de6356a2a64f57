# a damaged record of the last resolutions is named with its place, and nothing is recorded from it
ignore: .nanoclaw
-- VERSION --
1.0.0
== run ==
$ nanoclaw -q init
$ printf 'settled:\n- path: a.txt\n' > .nanoclaw/settled.yaml; nanoclaw resolution record
? 2
2> error: .nanoclaw/settled.yaml:2:3: 'skills' is missing
$ printf 'settled: [' > .nanoclaw/settled.yaml; nanoclaw resolution record
? 2
2> error: .nanoclaw/settled.yaml:2:1: did not find expected node content while parsing a flow node
$ printf 'settled: {}\n' > .nanoclaw/settled.yaml; nanoclaw resolution record
? 2
2> error: .nanoclaw/settled.yaml:1:10: 'settled' must be a sequence, not a mapping
$ printf 'other: []\n' > .nanoclaw/settled.yaml; nanoclaw resolution record; ls .nanoclaw/resolutions
? 2
2> error: .nanoclaw/settled.yaml:1:1: 'settled' is missing
2> ls: cannot access '.nanoclaw/resolutions': No such file or directory
