# a conflict that was resolved and recorded is not asked about again: re-applied, in the other order, on a fresh machine
tree: examples/postbox
unlisted: .nanoclaw .claude postbox lib
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ cp -r . ../fresh; cp -r . ../reversed
$ nanoclaw -q skill apply shout
> shout 1.0.0 applied
$ nanoclaw -q skill apply polite
? 3
> polite 1.0.0 paused
>
> To resolve:
>   postbox: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i '/^<<<<<<< /,/^>>>>>>> /c\
	printf "%s: %s\\n" "$NAME" "$(echo "$(answer "$message") Thank you." | tr "[:lower:]" "[:upper:]")"' postbox
$ nanoclaw -q continue
> polite 1.0.0 applied
$ nanoclaw resolution record --source maintainer --into .claude/resolutions
> recorded in .claude/resolutions/shout@1.0.0+polite@1.0.0
$ nanoclaw resolution check
> 1 folder checked: no faults
$ cp -r .claude ../fresh; cd ../fresh && nanoclaw skill apply shout polite && nanoclaw status
> shout 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> polite 1.0.0 applied
>   merged    lib/settings.sh
>   resolved  postbox
> 2 tests passed
> core 1.0.0
>   shout 1.0.0
>   polite 1.0.0
$ cp -r .claude ../reversed; cd ../reversed && nanoclaw skill apply polite shout
> polite 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> shout 1.0.0 applied
>   merged    lib/settings.sh
>   resolved  postbox
> 2 tests passed
$ cmp postbox ../fresh/postbox && cmp postbox ../reversed/postbox
$ rm -r ../fresh ../reversed
