# setup lists the models of a server, tries one with a tool, and says plainly what is wrong
needs: python3
ignore: port asked
-- serve.py --
import http.server, json

MODELS = [{'id': 'small', 'context_length': 8192},
          {'id': 'org/large:8b', 'max_model_len': 32768, 'capabilities': {'vision': True}},
          {'id': 'mute'}, {'id': "odd'name"}]

class Api(http.server.BaseHTTPRequestHandler):
    def answer(self, status, body):
        text = json.dumps(body).encode()
        self.send_response(status)
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def refuse(self, status, message):
        self.answer(status, {'error': {'message': message}})

    def locked(self):
        return (self.path.startswith('/locked') and
                self.headers.get('authorization') != 'Bearer sk-good-key')

    def do_GET(self):
        if self.locked():
            self.refuse(401, 'bad key: ' + str(self.headers.get('authorization')))
        elif self.path == '/one/v1/models':
            self.answer(200, {'data': [{'id': 'only'}]})
        elif self.path == '/empty/v1/models':
            self.answer(200, {'data': None})
        elif self.path.endswith('/v1/models'):
            self.answer(200, {'data': MODELS})
        else:
            self.refuse(404, 'not found')

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers['content-length'])))
        open('asked', 'w').write(json.dumps(asked) + '\n')
        model = asked['model']
        if self.path.startswith('/broke'):
            self.refuse(429, 'You exceeded your current quota, please check your plan')
        elif self.path.startswith('/web'):
            self.answer(200, {'hello': 'there'})
        elif model == 'mute':
            self.refuse(400, 'mute does not support tools')
        elif model in ('small', 'org/large:8b', 'only', 'alias'):
            self.answer(200, {'choices': [{'message': {'content': 'OK'}}]})
        else:
            self.refuse(404, 'model "%s" not found, try pulling it first\x1b[31m' % model)

    def log_message(self, *args):
        pass

server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
-- try [755] --
#!/bin/sh
# try PATH ARGUMENT...: with a server that is at this path.
at=http://127.0.0.1:$(cat here)$1
shift
nanoclaw setup --url "$at" "$@" 2>&1 | sed "s/$(cat here)/PORT/"
-- .env [644] --
ASSISTANT_NAME=Mia
== run ==
$ mkfifo port; (exec python3 serve.py) & echo $! >pid; read -r port <port; echo $port >here; rm port
# Of several models one has to be chosen.
$ ./try '' --with ollama
> error: not a terminal, cannot ask which of 3 models to use
> hint: '--model' says which
$ ./try '' --with ollama --model small
> Asking small for a word ...
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
$ sed s/$(cat here)/PORT/ .env; stat -c %a .env
> ASSISTANT_NAME=Mia
> NANOCLAW_PROVIDER=ollama
> NANOCLAW_MODEL_URL='http://127.0.0.1:PORT'
> NANOCLAW_MODEL=small
> NANOCLAW_CONTEXT=8192
> NANOCLAW_AGENT=native
> 600
# The request looks like an agent's.
$ cat asked
> {"messages": [{"content": "Answer with the word OK.", "role": "user"}], "model": "small", "tools": [{"function": {"description": "Keeps a note.", "name": "note", "parameters": {"properties": {"text": {"type": "string"}}, "type": "object"}}, "type": "function"}]}
$ ./try /v1 --with vllm --model org/large:8b -q; grep -c . .env; grep -e VISION -e CONTEXT -e MODEL= .env
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> 7
> NANOCLAW_MODEL='org/large:8b'
> NANOCLAW_CONTEXT=32768
> NANOCLAW_VISION=yes
# The only model is chosen, and a model that is not in the list is tried.
$ ./try /one/v1 --with custom --json | grep model
>   "model": "only",
$ ./try /v1 --with custom --model alias -q; grep -e VISION -e CONTEXT .env
? 1
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
# The error, and how to fix it.
$ ./try /v1 --with ollama --model nope -q
> error: Ollama has no model 'nope' (404): model "nope" not found, try pulling it first?[31m
> hint: it has small, org/large:8b, mute; '.env' is as it was
$ ./try /v1 --with ollama --model mute -q
> error: the model 'mute' cannot use tools (400): mute does not support tools
> hint: choose a model that can: its description says 'tools' or 'function calling'; '.env' is as it was
$ ./try /v1 --with llamacpp --model mute -q | grep hint
> hint: start llama-server with '--jinja'; '.env' is as it was
$ ./try /empty/v1 --with ollama
> error: Ollama has no model yet
> hint: 'ollama pull qwen3:8b' gets one that can use tools
$ ./try /broke/v1 --with custom --model small -q | sed 's/^error: [^ ]*/error: X/'
> error: X has no credit left (429): You exceeded your current quota, please check your plan
> hint: add credit to your account there; '.env' is as it was
$ ./try /web/v1 --with lmstudio --model small -q
> error: LM Studio answers, but not like a model
> hint: check its address: it usually ends in '/v1'; '.env' is as it was
$ ./try /locked/v1 --with vllm --model small -q
> error: vLLM wants a key (401): bad key: None
> hint: with '--key' it is read from standard input; '.env' is as it was
$ echo sk-wrong-key | ./try /locked/v1 --with openai --key --model small -q
> error: OpenAI refuses the key (401): bad key: Bearer ************
> hint: copy the whole key again from your account; '.env' is as it was
$ echo sk-good-key | ./try /locked/v1 --with openai --key --model small -q; grep KEY .env
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> OPENAI_API_KEY=sk-good-key
# The key of one server does not go to the next one.
$ echo sk-good-key | ./try /locked/v1 --with vllm --key --model small -q; grep -c MODEL_KEY .env
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> 1
$ ./try /v1 --with vllm --model small -q; grep -c MODEL_KEY .env
? 1
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> 0
# Typing mistakes.
$ nanoclaw setup --model small
? 2
2> error: '--model', '--url' and '--key' need '--with PROVIDER'
$ nanoclaw setup --with custom --model small
? 2
2> error: the address of the model's server is missing
2> hint: '--url' is its address, such as 'http://127.0.0.1:8080/v1'
$ nanoclaw setup --with custom --url 'local host' --model small
? 2
2> error: '--url' is 'http://local host', which is not the address of an API
2> hint: it looks like 'https://api.anthropic.com'
$ nanoclaw setup --with ollama --no-try
? 2
2> error: '--no-try' needs '--model'
$ nanoclaw setup --with ollama --no-try --model "it's \"new\""
? 2
2> error: the value of NANOCLAW_MODEL cannot be written to '.env'
$ nanoclaw setup --with ollama --no-try --model qwen3:8b; grep NANOCLAW .env
> '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> NANOCLAW_PROVIDER=ollama
> NANOCLAW_MODEL='qwen3:8b'
> NANOCLAW_AGENT=native
# A server that is not there.
$ kill $(cat pid); rm pid asked; ./try /v1 --with ollama --model small -q | sed 's/PORT: .*/PORT/'
> error: Ollama does not answer at http://127.0.0.1:PORT
> hint: 'ollama serve' starts it, 'ollama list' shows its models; '.env' is as it was
$ rm here
== after ==
-- .env [600] --
ASSISTANT_NAME=Mia
OPENAI_API_KEY=sk-good-key
NANOCLAW_PROVIDER=ollama
NANOCLAW_MODEL='qwen3:8b'
NANOCLAW_AGENT=native
