# the agent 'native' reaches the model that is set, its usage is counted, and bad settings are answered
needs: bwrap python3
ignore: store data groups container logs .nanoclaw port .env
-- serve.py --
import http.server, json

class Api(http.server.BaseHTTPRequestHandler):
    def refuse(self, status, message):
        text = json.dumps({'error': {'message': message}}).encode()
        self.send_response(status)
        self.send_header('content-type', 'application/json')
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        if self.path != '/own/v1/chat/completions':
            return self.refuse(404, 'no such path: ' + self.path)
        if self.headers.get('authorization') != 'Bearer sk-good-key':
            return self.refuse(401, 'wrong key')
        model = asked['model']
        if model not in ('teller', 'hider', 'worker'):
            return self.refuse(404, 'no such model')
        chunks = [{'model': model, 'choices': [{'index': 0, 'delta': {'content': 'I am ' + model}}]},
                  {'model': model, 'choices': [{'index': 0, 'delta': {}, 'finish_reason': 'stop'}]}]
        if model == 'worker' and asked['messages'][-1]['role'] == 'user':
            chunks[0]['choices'][0]['delta'] = {'tool_calls': [
                {'index': 0, 'id': 'a', 'type': 'function',
                 'function': {'name': 'bash', 'arguments': '{"command": "echo hi"}'}}]}
        if model == 'teller':
            chunks.append({'model': model, 'choices': [],
                           'usage': {'prompt_tokens': 70, 'completion_tokens': 7}})
        self.send_response(200)
        self.send_header('content-type', 'text/event-stream')
        self.send_header('connection', 'close')
        self.end_headers()
        for chunk in chunks:
            self.wfile.write(b'data: ' + json.dumps(chunk).encode() + b'\n\n')
        self.wfile.write(b'data: [DONE]\n\n')
        self.close_connection = True

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
-- say [755] --
#!/bin/sh
# say TEXT [NAME=value...]: to an assistant with these settings
text=$1
shift
echo "$text" | env "$@" NANOCLAW_TURN_TRIES=1 nanoclaw -q start 2>&1 |
	sed 's/ (error t[0-9]*)//; s/\([a-z'\'']\)\. .*/\1./'
-- .env [600] --
NANOCLAW_AGENT=native
NANOCLAW_PROVIDER=vllm
NANOCLAW_MODEL=teller
NANOCLAW_MODEL_KEY=sk-good-key
== run ==
$ mkfifo port; (exec python3 serve.py) & echo $! >pid; read -r port <port; echo "NANOCLAW_MODEL_URL=http://127.0.0.1:$port/own/v1" >>.env; rm port
$ ./say 'who are you?'
> I am teller
# A group has a model of its own, and the key is not in its files.
$ nanoclaw -q group config main model.name hider; ./say 'and now?'
> 'model.name' of 'main' is set
> I am hider
$ grep -rl sk-good-key groups data store logs
? 1
# A server of one's own costs nothing; what it does not tell is an estimate.
$ env -u SOURCE_DATE_EPOCH nanoclaw usage --by model | grep -e ^teller -e ^hider | sed 's/~[0-9,]*/~N/g; s/  */ /g; s/ #*$//'
> hider 1 ~N ~N 0 0 $0.00
> teller 1 70 7 0 0 $0.00
# The audit log has its actions in the sandbox.
$ nanoclaw -q group config main model.name worker; ./say 'do something'; nanoclaw audit --kind agent | sed 's/^[^ ]* [^ ]* *//; s/  */ /g'
> 'model.name' of 'main' is set
> I am worker
> group kind what outcome detail
> main agent bash asked {"command":"echo hi"}
$ nanoclaw -q group config main model --unset
> 'model' of 'main' is taken out
# Bad settings are answered.
$ ./say hi NANOCLAW_MODEL_KEY=sk-bad-key
> Sorry, I could not answer this: vLLM does not accept the API key.
$ ./say hi NANOCLAW_MODEL=nope
> Sorry, I could not answer this: vLLM does not have the model 'nope'.
$ ./say hi NANOCLAW_PROVIDER=openai NANOCLAW_MODEL_URL=https://api.openai.com/v1
> Sorry, I could not answer this: there is no key for OpenAI: put OPENAI_API_KEY=... into '.env'.
$ sed -i.old /NANOCLAW_MODEL=/d .env; ./say hi; mv .env.old .env
> Sorry, I could not answer this: no model of vLLM is chosen: put NANOCLAW_MODEL=... into '.env'.
$ ./say hi NANOCLAW_PROVIDER=olama
> error: the host could not be started: NANOCLAW_PROVIDER is 'olama', but must be one of anthropic, custom, deepseek, groq, llamacpp, lmstudio, mistral, ollama, openai, openrouter, vllm
> hint: 'logs/host.log' may say more
$ nanoclaw -q group config main model.provider olama; ./say hi; nanoclaw -q group config main model --unset
> 'model.provider' of 'main' is set
> Sorry, I could not answer this: model.provider is 'olama', but must be one of anthropic, custom, deepseek, groq, llamacpp, lmstudio, mistral, ollama, openai, openrouter, vllm.
> 'model' of 'main' is taken out
$ ./say hi NANOCLAW_AGENT_ENV=OPENROUTER_API_KEY
> error: the host could not be started: NANOCLAW_AGENT_ENV names OPENROUTER_API_KEY, which agents never get
> hint: remove it there: the host adds the key to the requests of agents
$ kill $(cat pid); rm pid; ./say hi
> Sorry, I could not answer this: I cannot reach vLLM, where my model runs.
