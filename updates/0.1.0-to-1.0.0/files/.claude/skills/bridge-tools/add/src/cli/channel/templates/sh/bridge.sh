#!/bin/sh
# The bridge '@NAME@': connects NanoClaw to a chat platform.
#
# NanoClaw starts this program and exchanges lines of JSON with it over standard input and
# output (docs/bridge-protocol.md). Standard error goes to the host's log.
#
# It works as it is, with a folder as its platform: append "alice: hello" to
# data/bridges/@NAME@/inbox, and the answer appears in data/bridges/@NAME@/outbox. To connect
# a real platform, replace next_message, acknowledge and send_text.
set -u

name=@NAME@
folder=${1:-data/bridges/$name}
mkdir -p "$folder"
touch "$folder/inbox" "$folder/outbox" "$folder/acknowledged"

# --- the platform: a folder, with a message per line in 'inbox' ---------------

# Sets id, sender and text of the oldest message that the host has not acknowledged.
next_message() {
	read -r id <"$folder/acknowledged" || id=0
	while id=$((id + 1)) && [ "$id" -le "$(wc -l <"$folder/inbox")" ]; do
		text=$(sed -n "${id}p" "$folder/inbox")
		sender=somebody
		case $text in
		?*': '*)
			sender=${text%%: *}
			text=${text#*: }
			;;
		esac
		[ -z "$text" ] || return 0
	done
	return 1
}

# The host has the message with this id now: never report it again.
acknowledge() {
	echo "$1" >"$folder/acknowledged.new"
	mv "$folder/acknowledged.new" "$folder/acknowledged"
}

# Send a text once, even if the same key comes again after a restart. The line from the host
# has both, so that they are stored in one step. $(field text) is the text, $(field chat) the
# chat.
send_text() {
	grep -qF "\"key\":\"$1\"" "$folder/outbox" || printf '%s\n' "$line" >>"$folder/outbox"
}

# --- the protocol: stays as it is, whatever the platform ----------------------

# The text of a field in $line. In JSON a quote inside a text follows a backslash, so the
# pattern matches nothing inside one.
field() {
	printf '%b' "$(printf '%s\n' "$line" |
		sed -En 's/^.*[{,]"'"$1"'":"(([^"\\]|\\.)*)".*$/\1/p' | sed 's/\\"/"/g')"
}

# As the content of a JSON string.
escaped() {
	printf '%s' "$1" | tr '\001-\037' ' ' | sed 's/[\\"]/\\&/g'
}

# Report the oldest message every second until it is acknowledged. Two processes write to the
# host; short lines (4096 bytes) do not mix, so texts are cut.
report_messages() {
	while kill -0 $$ 2>/dev/null; do
		if next_message; then
			sender=$(escaped "$(printf '%.100s' "$sender")")
			text=$(escaped "$(printf '%.1500s' "$text")")
			printf '{"type":"message","id":"%s","chat":"%s:1","sender":"%s","name":"%s","group":false,"chat_name":"%s","text":"%s"}\n' \
				"$id" "$name" "$sender" "$sender" "$name" "$text"
		fi
		sleep 1
	done
}

printf '{"type":"hello","protocol":1,"jids":["%s:*"],"dialect":"plain","unit":"bytes","max_text":4000,"can":[],"remembers_keys":true}\n' "$name"
echo '{"type":"connected"}'
report_messages &
reporter=$!
trap 'kill $reporter 2>/dev/null' EXIT

while IFS= read -r line; do
	case $(field type) in
	ping) echo '{"type":"pong"}' ;;
	send)
		key=$(field key)
		if send_text "$key"; then
			printf '{"type":"receipt","key":"%s","ok":true}\n' "$key"
		else # the host tries again later
			printf '{"type":"receipt","key":"%s","ok":false}\n' "$key"
		fi
		;;
	ack)
		if next_message && [ "$(field id)" = "$id" ]; then
			acknowledge "$id"
		fi
		;;
	error) field error >&2 ;;
	shutdown) break ;;
	esac
done
exit 0
