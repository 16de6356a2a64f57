# options for the arguments of an operation have its descriptions
== run ==
$ nanoclaw group set --help | sed -n '/^Options/,/^$/p'
> Options
>   --name=NAME     its name, for people
>   --jid=JID       the JID of the chat that it belongs to
>   --trigger=TEXT  the word that a message must begin with
>   --no-trigger    answer every message
>   --allow=SENDER  accept messages only from these senders; can be repeated
>   --allow-all     accept messages from everybody
>
$ nanoclaw task add --help --json | grep -c "without this conversation"
> 1
# Every option of every command has a description.
$ nanoclaw help --man >page && grep -c "without this conversation" page && rm page
> 1
