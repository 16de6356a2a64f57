# shout and polite meet in one line; once it is resolved, both are in the tree
tree: examples/postbox
unlisted: .nanoclaw
== run ==
# The sample ships the resolution; this test removes it.
$ rm -r .claude
$ nanoclaw -q skill apply diary shout
> diary 1.0.0 applied
> shout 1.0.0 applied
$ nanoclaw skill apply polite smile --dry-run
> polite 1.0.0 would pause
>   merged    lib/settings.sh
>   CONFLICT  postbox
> smile 1.0.0 waits until the conflict is resolved
> would run the test of diary: sh skills/diary/tests/diary.sh
> would run the test of shout: sh skills/shout/tests/shout.sh
> would run the test of polite: sh skills/polite/tests/polite.sh
$ nanoclaw skill apply polite smile
? 3
> polite 1.0.0 paused
>   merged    lib/settings.sh
>   CONFLICT  postbox
> smile 1.0.0 waits until the conflict is resolved
>
> To resolve:
>   postbox: edit it, and remove the conflict markers
> Then run 'nanoclaw continue', or 'nanoclaw abort' to undo everything.
$ cat postbox
> #!/bin/sh
> # A postbox: reads one message per line and answers it.
> set -eu
>
> here=$(cd "$(dirname "$0")" && pwd)
> . "$here/lib/settings.sh"
> . "$here/lib/answers.sh"
> . "$here/lib/diary.sh"
>
> while IFS= read -r message; do
> 	# An empty line is no message.
> 	[ -n "$message" ] || continue
> 	diary_keep "$message"
>
> <<<<<<< yours (shout 1.0.0)
> 	printf '%s: %s\n' "$NAME" "$(answer "$message" | tr '[:lower:]' '[:upper:]')"
> ||||||| core 1.0.0
> 	printf '%s: %s\n' "$NAME" "$(answer "$message")"
> =======
> 	printf '%s: %s Thank you.\n' "$NAME" "$(answer "$message")"
> >>>>>>> polite 1.0.0
> done
$ nanoclaw status
> core 1.0.0
>   diary 1.0.0
>   shout 1.0.0
>
> 'skill apply' is paused; to resolve:
>   postbox  (polite)
> then 'nanoclaw continue', or 'nanoclaw abort' to undo everything
$ nanoclaw skill apply brief
? 4
2> error: an operation is paused in '[dir]'
2> hint: resolve it first: 'nanoclaw continue' or 'nanoclaw abort'; 'nanoclaw status' shows what is open
# Both: thanks, and capitals.
$ sed -i '/^<<<<<<< /,/^>>>>>>> /c\
	printf "%s: %s\\n" "$NAME" "$(echo "$(answer "$message") Thank you." | tr "[:lower:]" "[:upper:]")"' postbox
$ nanoclaw continue
> polite 1.0.0 applied
> smile 1.0.0 applied
>   merged    lib/answers.sh
> 4 tests passed
$ printf 'hello\nbuy milk\n' | DIARY=/dev/null ./postbox
> POSTBOX: HELLO! :-) THANK YOU.
> POSTBOX: I HAVE PUT THAT IN THE BOX: BUY MILK THANK YOU.
$ nanoclaw status
> core 1.0.0
>   diary 1.0.0
>   shout 1.0.0
>   polite 1.0.0
>   smile 1.0.0
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
