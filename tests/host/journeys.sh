#!/bin/sh
# Journeys of a person, typed into a terminal that tmux plays.
#
#	journeys.sh NANOCLAW
#
# What is waited for is text on the screen; nothing is timed.
set -u

nanoclaw=$(realpath "$1")
bin=$(dirname "$nanoclaw")
PATH=$bin:$PATH
unset ASSISTANT_NAME NANOCLAW_AGENT NO_COLOR TMUX
count=0
failed=0

if ! command -v tmux >/dev/null; then
	echo '1..0 # SKIP tmux is not installed'
	exit 0
fi
if ! bwrap --ro-bind / / true 2>/dev/null; then
	echo '1..0 # SKIP bwrap does not work here'
	exit 0
fi
work=$(mktemp -d "${TMPDIR:-/tmp}/nanoclaw-journeys-XXXXXX")
socket=$work/tmux
terminal() { tmux -S "$socket" -f /dev/null "$@"; }
if ! terminal new-session -d -x 72 -y 30 'exec sh' 2>/dev/null; then
	rm -r "$work"
	echo '1..0 # SKIP there are no pseudo-terminals here'
	exit 0
fi
finish() {
	terminal kill-server 2>/dev/null
	(cd "$work/p" 2>/dev/null && "$nanoclaw" stop >/dev/null 2>&1)
	rm -rf "$work"
}
trap finish EXIT

# A window of its own for each journey: begin FOLDER COMMAND
begin() {
	mkdir -p "$work/$1"
	terminal respawn-window -k "cd '$work/$1' && exec env LC_ALL=C.UTF-8 sh -c 'trap : INT; $2; echo \"[ended \$?]\"; exec tail -f /dev/null'"
}
screen() { terminal capture-pane -p 2>/dev/null; }
keys() { terminal send-keys "$@"; }
typed() { terminal send-keys -l "$1"; }
last_line() { screen | grep . | tail -n 1; }
wait_for() { # screen|last_line PATTERN
	tries=0
	while ! "$1" | grep -q -e "$2"; do
		tries=$((tries + 1))
		if [ "$tries" -gt 2000 ]; then
			echo "# '$2' is not on the screen:"
			screen | sed 's/^/# /'
			return 1
		fi
	done
}
shown() { wait_for screen "$1"; }
# Keys that come while Ctrl-C is handled are lost.
prompted() { wait_for last_line '^> *$'; }

claim() {
	count=$((count + 1))
	if "$2"; then
		echo "ok $count - $1"
	else
		echo "not ok $count - $1"
		failed=1
	fi
}

greeting() {
	begin p 'nanoclaw start' && shown 'What should it be called' &&
		typed Mia && keys Enter && shown '^> *$' &&
		typed 'remember the key is under the mat' && keys Enter &&
		shown '^Mia: Noted: the key is under the mat$'
}

# The screen is 72 columns wide: the typed line goes on in a second row.
arriving() {
	typed 'this is a long line, with a word or two that go beyond the edge, öäü and 日本語'
	shown '日本語$' &&
		(cd "$work/p" && nanoclaw send main notes 2>/dev/null) &&
		shown '^Mia: 1. the key' &&
		screen | grep -A 2 '^Mia: 1' | tr -d '\n' |
		grep -q '> this is a long line, with a word or two that go beyond the edge, *öäü and 日本語'
}

clearing() {
	keys C-c && shown "leaves" && prompted && keys Up && shown '^> remember the key' &&
		keys C-c && prompted && typed /help && keys Enter && shown 'clear the line'
}

restarting() {
	typed 'remember two' && (cd "$work/p" && nanoclaw restart >/dev/null) && keys Enter &&
		shown '^Mia: Noted: two'
}

leaving() {
	typed quit && keys Enter && shown '\[ended 0\]'
}

reopening() {
	begin p 'nanoclaw start' && shown '^Mia: Noted: two' && shown "^This is 'main'" &&
		keys C-d && shown '\[ended 0\]'
}

# An agent that waits until it is told to answer.
markdown() {
	mkdir -p "$work/p/groups/main"
	mkfifo "$work/p/groups/main/gate"
	cat >"$work/p/agent" <<'AGENT'
#!/bin/sh
while read -r line; do
	cat gate >/dev/null
	printf '%s\n' '{"type":"result","subtype":"success","session_id":"s1","result":"## A title\nSome **bold** words that are too many for one line of a terminal, so that they go on in the next.\n- one\n- two\n```\nx = 1\n```"}'
done
AGENT
	chmod +x "$work/p/agent"
	printf 'ASSISTANT_NAME=Mia\nNANOCLAW_AGENT=../../agent\n' >"$work/p/.env"
	begin p 'nanoclaw start' && shown "^This is 'main'" && typed hello && keys Enter &&
		shown '^(Mia is working' && echo >"$work/p/groups/main/gate" &&
		shown '^Mia: A title' && shown '^Some bold words that are too many for one line of a terminal, so that$' &&
		shown '^they go on in the next.$' && shown '^• one$' && shown '^    x = 1$' && shown '^> *$' &&
		! screen | grep -q '\*\*' && keys C-d && shown '\[ended 0\]'
}

# The key is not on the screen; the server is played.
setup() {
	mkdir -p "$work/q/bin"
	printf '#!/bin/sh\n' >"$work/q/bin/claude"
	chmod +x "$work/q/bin/claude"
	mkfifo "$work/q/port"
	cat >"$work/q/serve.py" <<'SERVER'
import http.server

class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200 if self.headers.get('x-api-key') == 'sk-good' else 401)
        self.send_header('content-length', '0')
        self.end_headers()

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
for _ in range(2):
    server.handle_request()
SERVER
	(cd "$work/q" && exec python3 serve.py) &
	read -r port <"$work/q/port"
	echo "ANTHROPIC_BASE_URL=http://127.0.0.1:$port" >"$work/q/.env"
	begin q "PATH=$work/q/bin:$PATH nanoclaw setup" && shown 'Which model can you use' &&
		typed 2 && keys Enter && shown 'Paste the key' && typed sk-bad && keys Enter &&
		shown 'refuses it (401)' && shown '\[ended 1\]' &&
		begin q "PATH=$work/q/bin:$PATH nanoclaw setup" && shown 'Which model can you use' &&
		typed 2 && keys Enter && shown 'Paste the key' && typed sk-good && keys Enter &&
		shown 'It works' && ! screen | grep -q sk-good &&
		grep -q '^ANTHROPIC_API_KEY=sk-good$' "$work/q/.env" && wait
}

doctor() {
	begin r 'nanoclaw doctor' && shown '\[ended [0-9]\]' && screen | grep -q '^ok  *clock'
}

claim 'the first start greets, asks for a name, and takes notes' greeting
claim 'a message that arrives leaves the typed line as it is' arriving
claim 'Ctrl-C clears the line, the arrow keys find earlier ones, /help helps' clearing
claim 'a chat goes on when its host starts again, with what was typed' restarting
claim 'quit leaves' leaving
claim 'a chat that is opened again shows what was said' reopening
claim 'an agent at work is shown, and its Markdown is wrapped and marked' markdown
if command -v python3 >/dev/null; then
	claim 'setup tries a key without showing it, and writes it when it works' setup
fi
claim 'doctor tells what works' doctor
echo "1..$count"
exit "$failed"
