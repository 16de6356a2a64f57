# columns are as wide as a terminal shows them: a wide character is two columns, an accent none
ignore: store data groups
== run ==
$ nanoclaw -q group add 'chat:料理料理' Cooking | head -n 1
> registered, with the folder 'groups/cooking'
$ nanoclaw -q group add "$(printf 'chat:Ku\314\210che')" Kitchen | head -n 1
> registered, with the folder 'groups/kitchen'
$ LC_ALL=C nanoclaw group list
> folder   jid            name
> main     local:main     Main
> cooking  chat:料理料理  Cooking
> kitchen  chat:Küche     Kitchen
