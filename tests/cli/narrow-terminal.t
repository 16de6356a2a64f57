# help and the last column of a table are wrapped at words on a narrow terminal
needs: script
-- narrow [755] --
#!/bin/sh
TERM=xterm PAGER=cat script -qec "stty cols 60; $*" /dev/null | tr -d '\r'
== run ==
$ ./narrow nanoclaw --no-color setup --help | sed -n 5,14p
> Asks what you have: Claude Code with a subscription, an
> Anthropic API key, or nothing. A key or token is tried with
> one request that costs nothing, and written to '.env'. You
> can run it again at any time. ANTHROPIC_BASE_URL sets
> another address for the API.
>
> Options
>   --with=claude|key|nothing  what you have, instead of being
>                              asked
>   --no-try                   write it without a request to
$ ./narrow nanoclaw --no-color help --all | grep -A1 '^  task list'
>   task list            list scheduled tasks, with their next
>                        runs in their own time zones
$ ./narrow nanoclaw --no-color doctor | awk 'length > 60'
# elsewhere it stays as it is
$ nanoclaw help --all | grep -A1 '^  task list'
>   task list            list scheduled tasks, with their next runs in their own time zones
>   task pause           pause a task until 'task resume'
