# a store of a newer version is refused by what would change it, and status goes on
needs: sandbox sqlite3
ignore: store data groups
== run ==
$ nanoclaw group add x:1 One
> registered, with the folder 'groups/one'
> messages that begin with '@Andy' are answered
2> warning: no channel here serves 'x:1' yet; 'nanoclaw channel list' lists them
$ sqlite3 store/nanoclaw.db 'PRAGMA user_version = 99'
$ nanoclaw run
? 2
2> error: '[dir]/store/nanoclaw.db' has version 99, and this program supports versions up to [..]
2> hint: use the nanoclaw that wrote it, or a newer one
$ nanoclaw status
> no skills have been applied here
> assistant: cannot read its state: '[dir]/store/nanoclaw.db' has version 99, and this program supports versions up to [..]
>   use the nanoclaw that wrote it, or a newer one
