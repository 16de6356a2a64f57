# polite before shout is the same conflict, and abort leads back
tree: examples/postbox
unlisted: .nanoclaw
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw -q skill apply polite
> polite 1.0.0 applied
$ nanoclaw skill apply shout
? 3
> shout 1.0.0 paused
>   merged    lib/settings.sh
>   CONFLICT  postbox
>
> To resolve:
>   postbox: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -n '/^<<<<<<< /,/^>>>>>>> /p' postbox
> <<<<<<< yours (polite 1.0.0)
> 	printf '%s: %s Thank you.\n' "$NAME" "$(answer "$message")"
> ||||||| core 1.0.0
> 	printf '%s: %s\n' "$NAME" "$(answer "$message")"
> =======
> 	printf '%s: %s\n' "$NAME" "$(answer "$message" | tr '[:lower:]' '[:upper:]')"
> >>>>>>> shout 1.0.0
$ nanoclaw abort
> everything is as it was before 'skill apply'
$ nanoclaw status
> core 1.0.0
>   polite 1.0.0
$ echo hello | ./postbox
> Postbox: Hello! Thank you.
== after ==
-- !.claude --
-- postbox [755] --
#!/bin/sh
# A postbox: reads one message per line and answers it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib/settings.sh"
. "$here/lib/answers.sh"

while IFS= read -r message; do
	# An empty line is no message.
	[ -n "$message" ] || continue

	printf '%s: %s Thank you.\n' "$NAME" "$(answer "$message")"
done
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=Postbox

# The answer to "hello".
GREETING="Hello!"

# The answer to "bye".
FAREWELL="Goodbye."
