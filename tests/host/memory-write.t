# a group's memory is shown, replaced in one step, and not if it has changed since it was shown
ignore: **
== run ==
$ nanoclaw group add local:family Family
> ...
$ nanoclaw memory show family
$ echo likes tea | nanoclaw memory write family
$ nanoclaw memory show family
> likes tea
$ cat groups/family/CLAUDE.local.md
> likes tea
$ nanoclaw --json memory show family
> {
>   "group": "family",
>   "path": "groups/family/CLAUDE.local.md",
>   "sha256": "e97db6a7402fda801f2e18ecb8b393ca05dc97d02963a8756541783224a3bbaf",
>   "success": true,
>   "text": "likes tea\n"
> }
$ echo likes coffee > groups/family/CLAUDE.local.md
$ echo mine | nanoclaw memory write family --if-hash $(echo likes tea | sha256sum | cut -c 1-64)
? 1
2> error: 'groups/family/CLAUDE.local.md' has changed since it was shown; nothing was written
$ echo both | nanoclaw memory write family --if-hash $(echo likes coffee | sha256sum | cut -c 1-64)
$ cat groups/family/CLAUDE.local.md
> both
# A link that an agent has put there is not followed.
$ echo secret > outside && ln -sf ../../outside groups/family/CLAUDE.local.md
$ nanoclaw memory show family
? 2
2> ...
$ nanoclaw memory show nobody
? 2
2> ...
