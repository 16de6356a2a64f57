# packages of the system are part of the question, where the tree has what installs them
unlisted: .nanoclaw
-- VERSION --
1.0.0
-- tools/install-packages [755] --
#!/bin/sh
-- skills/x/manifest.yaml --
skill: x
version: 1.0.0
core_version: 1.0.0
structured: {system_packages: [ffmpeg, jq]}
== run ==
$ nanoclaw skill apply x --dry-run
> x 1.0.0 would be applied
>   added     system-packages.txt
> x needs packages of the system, which a rebuild with --install-packages installs as root: ffmpeg jq
$ nanoclaw --json skill apply x --dry-run | grep -o '"kind": "pack.*'
> "kind": "packages",
$ unset NANOCLAW_ALLOW_COMMANDS; nanoclaw skill apply x
? 2
2> error: these skills can run programs as you:
2>   x 1.0.0
2>     needs packages of the system, which a rebuild with --install-packages installs as root: ffmpeg jq
2> Not a terminal, cannot ask
2> hint: run it on a terminal, or with '--yes' to continue
$ unset NANOCLAW_ALLOW_COMMANDS; nanoclaw -q skill apply x --yes
> x 1.0.0 applied
$ nanoclaw -q skill remove x
> x 1.0.0 removed
