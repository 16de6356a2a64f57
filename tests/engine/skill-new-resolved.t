# a package that depends on a resolution between two skills says so
tree: examples/postbox
unlisted: .nanoclaw .claude
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw -q skill apply polite
> polite 1.0.0 applied
$ nanoclaw -q skill apply shout
? 3
> shout 1.0.0 paused
>
> To resolve:
>   postbox: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ sed -i '/^<<<</d; /^||||/,/^>>>>/d; s/%s: %s/& THANK YOU./' postbox
$ nanoclaw -q continue --no-test
> shout 1.0.0 applied
$ sed -i 's/THANK YOU/MERCI/' postbox
$ nanoclaw skill new merci --from-changes
> created .claude/skills/merci
>   modify   postbox   (on top of polite, shout)
>   depends  polite
>            shout
> Applied in memory, it gives exactly these changes.
>
> Next:
>   replace the placeholders '<!-- author: … -->' in SKILL.md and modify/*.intent.md
>   nanoclaw skill check .claude/skills/merci
>   nanoclaw skill apply merci   (the skill then owns your changes)
2> warning: the skills that it depends on conflict in 'postbox', and that was resolved here; others need the same resolution: 'nanoclaw resolution record'
== after ==
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=POSTBOX

# The answer to "hello".
GREETING="Hello!"

# The answer to "bye".
FAREWELL="Goodbye."
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

	printf '%s: %s MERCI. Thank you.\n' "$NAME" "$(answer "$message")"
done
