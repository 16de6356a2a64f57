# undo reverts a removal and an update, to the byte
tree: examples/postbox
unlisted: .nanoclaw data lib postbox
== run ==
$ nanoclaw -q skill apply --no-test shout diary
> shout 1.0.0 applied
> diary 1.0.0 applied
$ mkdir ../before && cp -r . ../before/tree
$ nanoclaw skill remove shout --no-test
> shout 1.0.0 removed
>   merged    lib/settings.sh
>   merged    postbox
$ nanoclaw undo --list
>   2  2001-02-03 04:05    2 files    3.8 KB  skill remove shout
>   1  2001-02-03 04:05    3 files     481 B  skill apply shout, diary
$! nanoclaw undo --no-test
> 'skill remove shout' is undone
>   restored  lib/settings.sh
>   restored  postbox
$ diff -r --exclude=history --exclude=index . ../before/tree && echo same
> same
$ rm -r ../before
