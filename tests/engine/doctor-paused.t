# a file with a conflict is not reported as damage
tree: examples/postbox
unlisted: .claude .nanoclaw postbox lib/settings.sh
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw -q --yes skill apply shout
> ...
$ nanoclaw -q --yes skill apply polite
? 3
> ...
$ nanoclaw --json doctor | python3 -c 'import json, sys; print(*[f["message"] for f in json.load(sys.stdin)["findings"] if f["name"] in ("kept", "pending")], sep="\n")'
> 'skill apply' is paused, with 1 to resolve ('nanoclaw abort' undoes it)
> the files in '.nanoclaw' are as recorded
