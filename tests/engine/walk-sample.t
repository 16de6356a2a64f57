# on a terminal a person is led through a conflict, with both sides and all intents
needs: script
tree: examples/postbox
unlisted: .nanoclaw
-- walk [755] --
#!/bin/sh
# Runs a command on a terminal and types standard input into it.
script -E never -qec "$*; echo exit \$?" /dev/null | tr -d '\r'
-- editor [755] --
#!/bin/sh
# Both: thanks, and capitals.
sed -i '/^<<<<<<< /,/^>>>>>>> /c\
	printf "%s: %s\\n" "$NAME" "$(echo "$(answer "$message") Thank you." | tr "[:lower:]" "[:upper:]")"' "$1"
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw -q skill apply diary shout
> diary 1.0.0 applied
> shout 1.0.0 applied
$ EDITOR=./editor ./walk nanoclaw skill apply polite smile
< e
<
> polite 1.0.0 paused
>   merged    lib/settings.sh
>   CONFLICT  postbox
> smile 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   postbox: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
>
> postbox: conflict 1 of 1, line 15
>       	[ -n "$message" ] || continue
>       	diary_keep "$message"
>       
>   o yours (shout 1.0.0)
>   o | 	printf '%s: %s\n' "$NAME" "$(answer "$message" | tr '[:lower:]' '[:upper:]')"
>     core 1.0.0
>     | 	printf '%s: %s\n' "$NAME" "$(answer "$message")"
>   t polite 1.0.0
>   t | 	printf '%s: %s Thank you.\n' "$NAME" "$(answer "$message")"
>       done
>
>   the intent of polite 1.0.0
>     changes     Every answer ends with thanks.
>     invariants  - One message gives one line.
>     must keep   - `Thank you.`
>
>   the intent of diary 1.0.0 (part of yours)
>     changes     The diary is read in, and every message is kept before it is
>                 answered.
>     invariants  - An empty line is not kept.
>                 - A message is kept also if answering it fails.
>     must keep   - `diary_keep "$message"`
>
>   the intent of shout 1.0.0 (part of yours)
>     changes     Every answer is in capitals.
>     invariants  - One message gives one line.
>                 - What another skill puts into the answer is in capitals too.
>     must keep   - `tr '[:lower:]' '[:upper:]'`
>
> [o] yours (shout 1.0.0)  [t] polite 1.0.0  [b] both  [e] edit  [s] later  [q] leave  [?] help > 
> Everything is resolved. Continue now? [Y/n, u to undo] polite 1.0.0 applied
> smile 1.0.0 applied
>   merged    lib/answers.sh
> 4 tests passed
> exit 0
$ printf 'hello\nbuy milk\n' | DIARY=/dev/null ./postbox
> POSTBOX: HELLO! :-) THANK YOU.
> POSTBOX: I HAVE PUT THAT IN THE BOX: BUY MILK THANK YOU.
$ ls "$TMPDIR"
== after ==
-- !.claude --
-- postbox [755] --
#!/bin/sh
# A postbox: reads one message per line and answers it.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib/settings.sh"
. "$here/lib/answers.sh"
. "$here/lib/diary.sh"

while IFS= read -r message; do
	# An empty line is no message.
	[ -n "$message" ] || continue
	diary_keep "$message"

	printf "%s: %s\n" "$NAME" "$(echo "$(answer "$message") Thank you." | tr "[:lower:]" "[:upper:]")"
done
-- data/ --
-- lib/answers.sh --
# One message in, one answer out.

answer() {
	case $1 in
	hello*)
		echo "$GREETING :-)"
		;;
	bye*)
		echo "$FAREWELL :-)"
		;;
	*)
		echo "I have put that in the box: $1"
		;;
	esac
}
-- lib/diary.sh --
# A diary: every message in a file, one per line.

: "${DIARY:=$here/data/diary.txt}"

# Keep a message.
diary_keep() {
	printf '%s\n' "$1" >>"$DIARY"
}
-- lib/settings.sh --
# What people like to change.

# The name in front of each answer.
NAME=POSTBOX

# The answer to "hello".
GREETING="Hello!"

# The answer to "bye".
FAREWELL="Goodbye."
