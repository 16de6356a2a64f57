# setup tries a key with one request, writes it to .env, and can be run again
needs: python3
ignore: port
-- serve.py --
import http.server, json

class Api(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        key = self.headers.get('x-api-key')
        token = self.headers.get('authorization')
        good = self.path.startswith('/v1/models') and (key == 'sk-good' or token == 'Bearer tok-good')
        body = json.dumps({'data': []} if good else
                          {'error': {'message': 'invalid x-api-key'}}).encode()
        self.send_response(200 if good else 401)
        self.send_header('content-length', str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
-- bin/claude [755] --
#!/bin/sh
-- .env [644] --
ASSISTANT_NAME=Mia
== run ==
$ nanoclaw setup
? 2
2> error: not a terminal, cannot ask what you have
2> hint: '--with' takes claude, key, nothing, or one of anthropic, custom, deepseek, groq, llamacpp, lmstudio, mistral, ollama, openai, openrouter, vllm
$ nanoclaw setup --with money
? 2
2> error: '--with' cannot be 'money'
2> hint: '--with' takes claude, key, nothing, or one of anthropic, custom, deepseek, groq, llamacpp, lmstudio, mistral, ollama, openai, openrouter, vllm
$ PATH=${PATH%%:*}:/usr/bin:/bin nanoclaw setup --with key
? 2
2> error: 'claude' is not installed
2> hint: install it with 'npm install -g @anthropic-ai/claude-code' (also on ARM), and type 'nanoclaw setup' again
$ mkfifo port; (python3 serve.py &); read -r port <port; echo "ANTHROPIC_BASE_URL=http://127.0.0.1:$port" >>.env
$ echo sk-bad | PATH=$PWD/bin:$PATH nanoclaw setup --with key 2>&1
? 1
> error: Anthropic refuses the key (401): invalid x-api-key
> hint: copy the whole key again from your account; '.env' is as it was
$ echo 'two words' | PATH=$PWD/bin:$PATH nanoclaw setup --with key
? 2
2> error: this is not a key or token
2> hint: it must be one word on one line of standard input
$ echo sk-good | PATH=$PWD/bin:$PATH nanoclaw setup --with key; grep -v BASE .env; stat -c %a .env
> It works. '.env' now has NANOCLAW_AGENT=claude. Run 'nanoclaw start'.
> ASSISTANT_NAME=Mia
> ANTHROPIC_API_KEY=sk-good
> NANOCLAW_AGENT=claude
> 600
$ echo tok-good | PATH=$PWD/bin:$PATH nanoclaw setup --with claude --json; grep -v BASE .env
> {
>   "agent": "claude",
>   "success": true,
>   "with": "claude"
> }
> ASSISTANT_NAME=Mia
> CLAUDE_CODE_OAUTH_TOKEN=tok-good
> NANOCLAW_AGENT=claude
$ nanoclaw setup --with nothing; grep -v BASE .env; sed -i '/BASE/d; /^CLAUDE/d' .env
> '.env' now has NANOCLAW_AGENT=offline. Run 'nanoclaw start'.
> ASSISTANT_NAME=Mia
> CLAUDE_CODE_OAUTH_TOKEN=tok-good
> NANOCLAW_AGENT=offline
$ nanoclaw login
? 2
2> error: 'login' is not a nanoclaw command
2> hint: did you mean 'nanoclaw setup'?
== after ==
-- .env [600] --
ASSISTANT_NAME=Mia
NANOCLAW_AGENT=offline
