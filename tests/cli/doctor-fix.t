# doctor --fix removes what killed commands have left, and nothing else
-- VERSION --
1.0.0
-- src/.nanoclaw-tmp-0123456789abcdef --
old
-- src/.nanoclaw-tmp-young --
new
-- src/kept --
old
-- node_modules/.nanoclaw-tmp-1 --
old
-- .nanoclaw-tmp-folder/ --
== run ==
$ touch -d '3 days ago' src/.nanoclaw-tmp-0* src/kept node_modules/.nanoclaw-tmp-1
$ nanoclaw doctor | grep -A 1 leftovers
> warning  leftovers    temporary files of killed commands ('.nanoclaw-tmp-…'): 1
>                       try: nanoclaw doctor --fix
$! nanoclaw doctor --fix
> ok       clock        [..]
> ok       disk         [..] GiB are free here
> ok       leftovers    removed temporary files of killed commands: 1
> ok       libraries    jansson 2.[..], libgit2 1.[..], libyaml 0.2.[..], nettle 3.[..]
> ok       packages     none required
> ok       state        no skills have been applied here
> ok       zone         [..]
>
> nothing is broken
$ nanoclaw doctor --fix | grep leftovers
> ok       leftovers    no leftover files
== after ==
-- !src/.nanoclaw-tmp-0123456789abcdef --
