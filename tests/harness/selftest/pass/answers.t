# commands answer with output, errors and an exit code
-- name --
world
== run ==
$ echo hello "$(cat name)"
> hello world

# Both streams, and a code.
$ echo out; echo trouble >&2; exit 3
? 3
> out
2> trouble
$ sh -c 'kill -TERM $$'
? 143
2> [..]
