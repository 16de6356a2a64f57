#!/bin/sh
# `channel check` tells bridges that follow the protocol from those that do not, and the bridges
# of `channel new` work:
#
#	conformance.sh NANOCLAW TEST_BRIDGE
set -u

nanoclaw=$(realpath "$1")
bridge=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
count=0

# result CODE CLAIM: the output of what failed is in 'out'
result() {
	count=$((count + 1))
	if [ "$1" -eq 0 ]; then
		echo "ok $count - $2"
	else
		sed 's/^/# /' out
		echo "not ok $count - $2"
	fi
}

all() {
	for file in "$@"; do
		[ -s "$file" ] || return 1
	done
}

mkdir good
printf '1\ttest:1\thello\n' >good/feed
"$nanoclaw" channel check --chat test:1 -- "$bridge" good >out 2>&1 &&
	! grep -q skipped out && [ "$(wc -l <good/sent)" -eq 2 ] && ! grep -qx 1 good/acked
result $? 'the test bridge passes, sends each key once, and keeps its message'

! "$nanoclaw" channel check -- sh -c 'echo nonsense' >out 2>&1 &&
	grep -q '^failed  every line follows the protocol' out
result $? 'a program that is no bridge does not pass'

! "$nanoclaw" channel check -- true >out 2>&1 && ! grep -q 'every line' out &&
	grep -q "^failed  'hello' is its first line" out
result $? 'a program of one word is run, and nothing is said about lines that did not come'

# A bridge that answers, and reports the messages of the file 'messages'.
cat >answers <<'END'
#!/bin/sh
echo '{"type":"hello","protocol":1,"jids":["x:*"]}'
echo '{"type":"connected"}'
cat messages
while read -r line; do
	case $line in
	*'"ping"'*) echo '{"type":"pong"}' ;;
	*'"shutdown"'*) exit 0 ;;
	esac
done
END
chmod +x answers

# fault FIELDS REASON
fault() {
	printf '{"type":"message",%s}\n' "$1" >messages
	! "$nanoclaw" channel check ./answers >out 2>&1 && grep -qF "$2" out
	result $? "a message with this fault does not pass: $2"
}

: >messages
"$nanoclaw" channel check ./answers >out 2>&1 && ! grep -q 'store every message' out &&
	grep -q '^ok      every line' out
result $? 'nothing is said about messages that did not come'
printf '{"type":"message","id":"1","chat":"x:1","sender":"a","text":"t"}\n' >messages
"$nanoclaw" channel check ./answers >out 2>&1
result $? 'a message without a fault passes'
fault '"id":"1","chat":"x:1","sender":"","text":"t"' "'sender' must be there"
fault '"id":"1","chat":"x:1","sender":" ","text":"t"' "'id' and 'sender' must not be blank"
fault '"id":"1","chat":"x:1","sender":"a","name":" ","text":"t"' "'name' must not be blank"
fault '"chat":"x:1","sender":"a","text":"t"' "'id' must be there"
fault '"id":"1","chat":"x:1","sender":"a"' 'a message without a text'
fault '"id":"1","chat":"x 1","sender":"a","text":"t"' "'chat' is not a JID"
fault '"id":"1","chat":"y:1","sender":"a","text":"t"' "'chat' is not among the JIDs"
fault '"id":"1","chat":"x:1","sender":"a","time":"noon","text":"t"' "'time' must be like"
fault '"id":"1","chat":"x:1","sender":"a","text":"nanoclaw channel check"' 'itself has sent'
fault "\"id\":\"1\",\"chat\":\"x:1\",\"sender\":\"a\",\"text\":\"$(printf '\351')\"" 'not UTF-8'
printf '{"type":"message","id":"1","chat":"x:1","sender":"a","text":"%s"}\n' t u >messages
! "$nanoclaw" channel check ./answers >out 2>&1 && grep -qF "the same 'id'" out
result $? 'two messages with the same id do not pass'

fault '"id":"1","chat":"x:1","sender":"a","text":"t","mentions_me":1' "'mentions_me' must be true"
fault '"id":"1","chat":"x:1","sender":"a","text":"t","thread":5' "'thread' must be a string"
fault '"id":"2","chat":"x:1","sender":"a","text":"t","edit_of":"2"' 'refers to itself'
fault '"id":"2","chat":"x:1","sender":"a","attachments":["a.jpg"]' 'an array of objects'
printf '{"type":"message","id":"1","chat":"x:1","sender":"a","text":"t","thread":"5","reply_to":"0","mentions_me":true}\n' >messages
"$nanoclaw" channel check ./answers >out 2>&1
result $? 'a message in a thread that replies and mentions the assistant passes'

fault '"id":"2","chat":"x:1","sender":"a","attachments":[{"file":"../a"}]' "'file' must be the name"
fault '"id":"2","chat":"x:1","sender":"a","attachments":[{"file":"a"}]' "'file' must be a file in the folder"
fault '"id":"2","chat":"x:1","sender":"a","attachments":[{"data":"??"}]' "'data' must be base64"
printf '{"type":"message","id":"1","chat":"x:1","sender":"a","attachments":[{"name":"a","data":"YQ=="}]}\n' >messages
"$nanoclaw" channel check ./answers >out 2>&1
result $? 'a message with a file and no text passes'

# Abilities are checked by those who have them.
mkdir able
printf '{"can":["edit","files","react"],"dialect":"plain"}' >able/hello
"$nanoclaw" channel check --chat test:1 -- "$bridge" able >out 2>&1 &&
	grep -q '^ok      a text with a file gets' out && grep -q '^ok      a changed text' out &&
	grep -q '^ok      a reaction' out && grep -q '"plain"' able/lines
result $? 'a bridge is asked for what its hello says that it can do'
! grep -q '"plain"' good/lines
result $? 'a bridge without a dialect gets no plain text beside the text'

# hello FIELDS REASON
hello() {
	sed "s/\"protocol\":1/&,$1/" answers >answers2
	chmod +x answers2
	: >messages
	! "$nanoclaw" channel check ./answers2 >out 2>&1 && grep -qF "$2" out
	result $? "a hello with this fault does not pass: $2"
}

hello '"dialect":"html5"' "'dialect' must be one of"
hello '"unit":"words"' "'unit' must be 'bytes', 'utf16' or 'characters'"
hello '"dialect":"slack","max_text":20' "'max_text' must be a number, at least 64"
hello '"can":"typing"' "'can' must be an array of words"

# new LANGUAGE PROGRAM TEST
new() {
	if ! command -v "$2" >/dev/null; then
		count=$((count + 1))
		echo "ok $count - a new bridge in $1 # SKIP no $2"
		return
	fi
	mkdir "$1" && (
		cd "$1" || exit 1
		"$nanoclaw" channel new demo --language "$1" &&
			sh -c "$3" &&
			"$nanoclaw" channel check demo --chat demo:1 || exit 1
		echo 'alice: hello' >>data/bridges/demo/inbox
		"$nanoclaw" channel check demo && "$nanoclaw" group add demo:1 Demo || exit 1
		"$nanoclaw" run 2>&1 &
		host=$!
		tries=0
		until [ "$(wc -l <data/bridges/demo/outbox)" -gt 2 ] || [ $tries -gt 600 ]; do
			tries=$((tries + 1))
			sleep 0.1
		done
		kill $host
		wait $host && all data/bridges/demo/acknowledged && tail -n 1 data/bridges/demo/outbox |
			grep demo:1
	) >out 2>&1
	result $? "a new bridge in $1 passes its tests and the check, and gets its answer"
}

new python python3 'python3 bridges/demo/test.py'
new node node 'node --test bridges/demo/test.mjs'
new sh sh 'sh bridges/demo/test.sh'
echo "1..$count"
