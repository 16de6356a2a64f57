# a bridge that ends is shown with its exit code and its last words
needs: bwrap
ignore: logs log store data groups container groups/*/.claude-* groups/*/CLAUDE.md data/sessions/*/.claude
-- bridges/chat.json --
{"command": ["./bridges/chat"]}
-- bridges/chat [755] --
#!/bin/sh
printf 'Traceback (most recent call last):\n  File "x"\nValueError: no token\n\n' >&2
exit 3
== run ==
$ mkfifo log && (nanoclaw run 2>log &) && grep -m1 -o "it ended.*ValueError.*;" log
> it ended with exit code 3: ValueError: no token;
$ until nanoclaw channel list | grep -o 'down.*ValueError: no token'; do :; done
> down [..]it ended with exit code 3: ValueError: no token
$ nanoclaw channel pair chat
? 1
2> error: the channel 'chat' is down, so no code can reach it: it ended with exit code 3: ValueError: no token
2> hint: mend that first; 'nanoclaw doctor' says what is missing
$ nanoclaw stop
> the host (pid [..]) is stopped
