# help and the last column of a table are wrapped at words on a narrow terminal
needs: script
-- narrow [755] --
#!/bin/sh
TERM=xterm PAGER=cat script -qec "stty cols 60; $*" /dev/null | tr -d '\r'
== run ==
$ ./narrow nanoclaw --no-color setup --help | sed -n '5,6p; 16,$p' | head -8
> Asks what you have: a local server (it finds running ones),
> Claude Code, an API key of a provider, or nothing. The model
>   --with=WHAT   what you have, instead of being asked
>   --model=NAME  the provider's name for the model
>   --url=URL     the address of the server, if it is not the
>                 usual one
>   --key         read a key from standard input, for a server
>                 that wants one
$ ./narrow nanoclaw --no-color help --all | grep -A1 '^  task list'
>   task list            list scheduled tasks, with their next
>                        runs in their own time zones
$ ./narrow nanoclaw --no-color doctor | awk 'length > 60'
# elsewhere it stays as it is
$ nanoclaw help --all | grep -A1 '^  task list'
>   task list            list scheduled tasks, with their next runs in their own time zones
>   task pause           pause a task until 'task resume'
