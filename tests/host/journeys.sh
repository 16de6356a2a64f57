#!/bin/sh
# Journeys of a person, typed into a terminal that tmux plays.
#
#	journeys.sh NANOCLAW
#
# The tests wait for text on the screen, never for a fixed time.
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
		sleep 0.05 # looking without a pause takes the processor from the program
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

# An agent that answers on a signal.
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

# Servers of models are played: Anthropic's, which wants 'sk-good', and one of the person's own.
serve() {
	mkdir -p "$work/q/bin"
	printf '#!/bin/sh\n' >"$work/q/bin/claude"
	chmod +x "$work/q/bin/claude"
	mkfifo "$work/q/port"
	cat >"$work/q/serve.py" <<'SERVER'
import http.server, json

class Api(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        if self.path == '/v1/models' and self.headers.get('x-api-key') != 'sk-good':
            self.answer(401, {})
        elif self.path.startswith('/locked') and self.headers.get('authorization') != 'Bearer sk-own-key':
            self.answer(401, {})
        else:
            self.answer(200, {'data': [{'id': 'small-model'}, {'id': 'large-model'}]})

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        if asked['model'] == 'small-model':
            self.answer(400, {'error': {'message': 'it does not support tools'}})
        else:
            self.answer(200, {'choices': [{'message': {'content': 'OK'}}]})

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
SERVER
	(cd "$work/q" && exec python3 serve.py) &
	server=$!
	read -r port <"$work/q/port"
}

# Which numbers there are depends on the machine: choose TEXT
choose() {
	typed "$(screen | sed -n "s/^ *\[\([0-9]*\)\] $1.*/\1/p")" && keys Enter
}

setup_key() {
	echo "ANTHROPIC_BASE_URL=http://127.0.0.1:$port" >"$work/q/.env"
	begin q "PATH=$work/q/bin:$PATH nanoclaw setup" && shown 'nothing yet' &&
		choose 'Claude Code with an Anthropic' && shown 'Paste the key' && typed sk-bad && keys Enter &&
		shown 'refuses the key (401)' && typed sk-good && keys Enter &&
		shown 'It works' && ! screen | grep -q sk-good &&
		grep -q '^ANTHROPIC_API_KEY=sk-good$' "$work/q/.env"
}

# The address is known from an earlier time: the usual one may be in use on this machine.
setup_found() {
	printf 'NANOCLAW_PROVIDER=ollama\nNANOCLAW_MODEL_URL=http://127.0.0.1:%s/own/v1\n' "$port" >"$work/q/.env"
	begin q 'nanoclaw setup' && shown 'Ollama, which runs here with 2 models' && shown '^>' &&
		choose 'Ollama, which' && shown 'large-model' && typed small && keys Enter &&
		shown 'cannot use tools (400)' && shown 'Its address' && keys Enter &&
		shown '^> *$' && typed model && keys Enter && shown '> model' && typed 2 && keys Enter &&
		shown 'It works' && grep -q '^NANOCLAW_MODEL=large-model$' "$work/q/.env" &&
		grep -q '^NANOCLAW_AGENT=native$' "$work/q/.env"
}

setup_own() {
	rm "$work/q/.env"
	begin q 'nanoclaw setup' && shown 'nothing yet' && choose 'a server of your own' &&
		shown 'Which server is it' && choose 'another one' && shown 'Its address' &&
		typed "http://127.0.0.1:$port/locked/v1" && keys Enter && shown 'wants a key' &&
		shown 'Paste the key' && typed sk-own-key && keys Enter && shown 'Which model' &&
		typed large-model && keys Enter && shown 'It works' && ! screen | grep -q sk-own-key &&
		grep -q '^NANOCLAW_MODEL_KEY=sk-own-key$' "$work/q/.env" &&
		grep -q '^NANOCLAW_PROVIDER=custom$' "$work/q/.env"
}

setup_nothing() {
	rm "$work/q/.env"
	begin q 'nanoclaw setup' && shown 'nothing yet' && choose 'nothing yet' &&
		shown '\[ended 0\]' && grep -q '^NANOCLAW_AGENT=offline$' "$work/q/.env"
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
	serve
	claim 'setup tries a key without showing it, and writes it when it works' setup_key
	claim 'setup finds a server that runs, and lists its models' setup_found
	claim 'setup takes a server of the person, and asks for a key when it wants one' setup_own
	claim 'setup does without a model' setup_nothing
	kill "$server"
fi
claim 'doctor tells what works' doctor
echo "1..$count"
exit "$failed"
