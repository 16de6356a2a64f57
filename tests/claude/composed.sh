#!/bin/sh
# composed.sh NANOCLAW: does Claude Code read what is composed? In a sandbox with the places
# that ours has, and with a model that is played (serve.py). In TAP.
set -eu

nanoclaw=$1
project=$PROJECT
count=0
failed=0

result() { # CLAIM, with the exit code of what was checked
	code=$?
	count=$((count + 1))
	[ $code -eq 0 ] || { printf 'not '; failed=1; }
	echo "ok $count - $1"
}

probe() {
	bwrap --unshare-user --uid 1000 --gid 1000 --ro-bind / / true 2>/dev/null
}

command -v bwrap >/dev/null && probe || {
	echo '1..0 # SKIP bwrap does not work here'
	exit 0
}

put() { # PATH TEXT
	mkdir -p "$project/$(dirname "$1")"
	printf '%s\n' "$2" >"$project/$1"
}

# Say a word to Claude Code in the sandbox; its request is REQUESTS/talk-N.json.
ask() {
	bwrap --unshare-user --uid 1000 --gid 1000 --die-with-parent --clearenv \
		--ro-bind /usr /usr --ro-bind /etc /etc --ro-bind-try /lib /lib \
		--ro-bind-try /lib64 /lib64 --ro-bind-try /bin /bin --proc /proc --dev /dev \
		--tmpfs /tmp --tmpfs /home/node --ro-bind "$NANOCLAW_CLAUDE" /opt/claude \
		--bind "$project/groups/family" /workspace/agent \
		--ro-bind "$project/container/CLAUDE.md" /app/CLAUDE.md \
		--ro-bind "$project/container/skills" /app/skills \
		--bind "$project/data/sessions/family/.claude" /home/node/.claude \
		--chdir /workspace/agent \
		--setenv HOME /home/node --setenv PATH /usr/bin:/bin \
		--setenv CLAUDE_CONFIG_DIR /home/node/.claude \
		--setenv ANTHROPIC_API_KEY none --setenv ANTHROPIC_BASE_URL "$SERVER/talk" \
		--setenv NO_PROXY 127.0.0.1 --setenv no_proxy 127.0.0.1 \
		--setenv DISABLE_AUTOUPDATER 1 \
		--setenv CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC 1 \
		/opt/claude -p '<message x="">hello</message>'
}

# The request that has the message in it.
request() {
	grep -l '>hello<' "$REQUESTS"/talk-*.json | tail -n 1
}

# All these, in this order.
in_order() {
	python3 - "$(request)" "$@" <<'PY'
import json, sys
text = json.dumps(json.load(open(sys.argv[1])), ensure_ascii=False)
places = [text.find(word) for word in sys.argv[2:]]
if -1 in places or places != sorted(places):
    print("# found at", places)
    sys.exit(1)
PY
}

put container/CLAUDE.md 'The base says BASEWORD.'
put container/skills/tea/SKILL.md '---
name: tea
description: Makes tea, as SKILLWORD knows.
---
Boil water.'
put container/skills/tea/instructions.md 'Its fragment says TEAWORD.'
put container/skills/cake/instructions.md 'Nobody enabled CAKEWORD.'
put data/global.md 'The global memory says GLOBALWORD.'
put groups/family/container.json '{"skills": ["tea"], "mcpServers":
	{"db": {"command": "db", "instructions": "The server says SERVERWORD."}}}'
put groups/family/CLAUDE.local.md 'The group says LOCALWORD.'
"$nanoclaw" -C "$project" -q group add local:family Family --folder family >/dev/null
"$nanoclaw" -C "$project" -q compose >/dev/null

[ "$(ask)" = '1: hello' ] && true
result 'Claude Code answers'
in_order BASEWORD GLOBALWORD TEAWORD SERVERWORD LOCALWORD && true
result 'it has read base, global memory, fragments and local memory, in this order'
! grep -q CAKEWORD "$(request)" && true
result 'what is not enabled is not before it'
grep -q SKILLWORD "$(request)" && true
result 'the skill can be found'

put groups/family/CLAUDE.local.md 'The group says OTHERWORD.'
rm "$REQUESTS"/talk-*.json
ask >/dev/null
in_order BASEWORD OTHERWORD && true
result 'a memory that was changed is read without composing again'

# The approval is what lets it read what is elsewhere: without it nothing of that is there.
rm "$REQUESTS"/talk-*.json
echo '{}' >"$project/data/sessions/family/.claude/.claude.json"
ask >/dev/null
! grep -q BASEWORD "$(request)" && true
result 'without the approval it would not have read the base'
rm "$REQUESTS"/talk-*.json
"$nanoclaw" -C "$project" -q compose >/dev/null
ask >/dev/null
in_order BASEWORD TEAWORD && true
result 'composing gives it again'

# And all of it by the host itself, in its own sandbox.
rm "$REQUESTS"/talk-*.json
put groups/main/CLAUDE.local.md 'The main group says MAINWORD.'
answer=$(printf 'hello\n' | NANOCLAW_AGENT=claude \
	ANTHROPIC_BASE_URL="$SERVER/talk" timeout 300 "$nanoclaw" -C "$project" -q start)
[ "$answer" = '1: hello' ] || { echo "# it said: $answer"; false; } && true
result 'the host has Claude Code answer'
in_order BASEWORD GLOBALWORD CAKEWORD TEAWORD MAINWORD && true
result 'its Claude Code has read base, global memory, fragments and local memory'
! grep -q OTHERWORD "$(request)" && true
result 'and nothing of another group'
echo "1..$count"
exit $failed
