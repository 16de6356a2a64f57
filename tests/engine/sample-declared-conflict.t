# skills that declare a conflict are refused together, unless that is wanted
tree: examples/postbox
unlisted: .nanoclaw
== run ==
$ nanoclaw skill apply brief polite
? 2
2> error: skills 'brief' and 'polite' conflict, according to brief
2> hint: apply only one of them, or both with '--allow-conflicts'
$ nanoclaw skill apply polite
> polite 1.0.0 applied
>   merged    lib/settings.sh
>   merged    postbox
> 1 test passed
$ nanoclaw skill apply brief
? 2
2> error: skills 'brief' and 'polite' conflict, according to brief
2> hint: apply only one of them, or both with '--allow-conflicts'
$ nanoclaw -q skill apply brief --allow-conflicts
> brief 1.0.0 applied
$ echo buy milk | ./postbox
> Postbox: Kept. Thank you.
== after ==
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
-- lib/answers.sh --
# One message in, one answer out.

answer() {
	case $1 in
	hello*)
		echo "$GREETING"
		;;
	bye*)
		echo "$FAREWELL"
		;;
	*)
		echo "Kept."
		;;
	esac
}
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=Postbox

# The answer to "hello".
GREETING="Hello!"

# The answer to "bye".
FAREWELL="Goodbye."
