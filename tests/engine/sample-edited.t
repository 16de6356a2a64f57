# the merge that docs/skills.md shows: three skills and an edit in the same files
tree: examples/postbox
unlisted: .nanoclaw
ignore: lib postbox
== run ==
$ nanoclaw -q skill apply smile
> smile 1.0.0 applied
$ sed -i 's/Hello!/Ahoy!/' lib/settings.sh
$ nanoclaw -q skill apply diary diary-search shout --on-drift record
> diary 1.0.0 applied
> diary-search 1.0.0 applied
> shout 1.0.0 applied
$ printf 'hello\nfind hello\n' | ./postbox
> POSTBOX: AHOY! :-)
> POSTBOX: HELLO
$ rm -r data
