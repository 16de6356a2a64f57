# doctor asks the server of a group's model whether it answers, takes the key and has the model
needs: python3 sandbox
ignore: store data groups port
-- serve.py --
import http.server, json

class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        good = self.headers.get('authorization') in (None, 'Bearer sk-good-key')
        body = json.dumps({'data': [{'id': 'small'}]} if good else
                          {'error': {'message': 'who are you?'}}).encode()
        self.send_response(200 if good else 401)
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
-- look [755] --
#!/bin/sh
nanoclaw doctor | grep -A1 ' model  ' | grep -e ' model  ' -e try: | sed 's/127.0.0.1:[0-9]*.*/HERE/'
== run ==
$ nanoclaw -q group add slack:C1 Dev --folder dev --no-trigger
> registered, with the folder 'groups/dev'
$ mkfifo port; (exec python3 serve.py) & echo $! >pid; read -r port <port; echo http://127.0.0.1:$port >here; rm port
# No group uses one.
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) ./look
$ nanoclaw group config dev agent native
> 'agent' of 'dev' is set
$ ./look
> problem  model        the agent of group 'dev' does not start: no model of Anthropic is chosen: put NANOCLAW_MODEL=... into '.env'
>                       try: nanoclaw setup
$ NANOCLAW_PROVIDER=openai NANOCLAW_MODEL=gpt ./look
> problem  model        there is no key for OpenAI, and a group uses a model of it
>                       try: nanoclaw setup
$ NANOCLAW_PROVIDER=openia NANOCLAW_MODEL=gpt ./look
> problem  model        the agent of group 'dev' does not start: NANOCLAW_PROVIDER is 'openia', but must be one of anthropic, custom, deepseek, groq, llamacpp, lmstudio, mistral, ollama, openai, openrouter, vllm
>                       try: nanoclaw setup
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=small ./look
> ok       model        Ollama answers, and has the model that groups use
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=large ./look
> warning  model        Ollama answers, but does not list the model 'large' that a group uses
>                       try: nanoclaw setup
$ NANOCLAW_MODEL_KEY=sk-bad-key NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=small ./look
> problem  model        a group's model cannot be used: Ollama refuses the key (401): who are you?
>                       try: nanoclaw setup
# What the agent has learned, and 'doctor --fix' forgets; a link of the agent's is not followed.
$ mkdir -p data/sessions/dev/.claude/native; printf 'small\n2048\n' >data/sessions/dev/.claude/native/window
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=small ./look
> warning  model        the agent of group 'dev' keeps to a window of 2048 tokens, because its server took no more; if it takes more now, let the agent try again
>                       try: nanoclaw doctor --fix
> ok       model        Ollama answers, and has the model that groups use
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=small nanoclaw doctor --fix | grep ' model  '
> ok       model        the agent of group 'dev' tries the whole window of its model again
> ok       model        Ollama answers, and has the model that groups use
$ mkdir elsewhere; printf 'small\n2048\n' >elsewhere/window; rmdir data/sessions/dev/.claude/native; ln -s ../../../../elsewhere data/sessions/dev/.claude/native
$ NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(cat here) NANOCLAW_MODEL=small nanoclaw doctor --fix | grep ' model  '
> ok       model        Ollama answers, and has the model that groups use
$ cat elsewhere/window; rm -r elsewhere
> small
> 2048
# An address that is not known to be of this machine.
$ NANOCLAW_MODEL_KEY=sk-good-key NANOCLAW_PROVIDER=ollama NANOCLAW_MODEL_URL=$(sed s/127.0.0.1/0.0.0.0/ here) NANOCLAW_MODEL=small ./look
> ok       model        Ollama answers, and has the model that groups use
> warning  model        the key for Ollama crosses the network without TLS: use an address that begins with https
>                       try: nanoclaw setup
# A group's own settings.
$ nanoclaw -q group config dev model "{\"provider\": \"vllm\", \"name\": \"small\", \"url\": \"$(cat here)\"}"; ./look
> 'model' of 'dev' is set
> ok       model        vLLM answers, and has the model that groups use
$ nanoclaw -q group config dev model.context 12
? 2
2> error: groups/dev/container.json:7:16: 'model.context' must be a whole number from 1024 to 100000000
$ kill $(cat pid); rm pid; ./look
> problem  model        a group's model cannot be used: vLLM does not answer at http://HERE
$ rm here
