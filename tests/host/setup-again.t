# setup asks again after a bad answer, and takes words and an address without a scheme
needs: python3
ignore: port asked
-- serve.py --
import http.server, json

class Api(http.server.BaseHTTPRequestHandler):
    def answer(self, body):
        text = json.dumps(body).encode()
        self.send_response(200)
        self.send_header('content-length', str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.answer({'data': [{'id': 'only'}]})

    def do_POST(self):
        self.rfile.read(int(self.headers['content-length']))
        self.answer({'choices': [{'message': {'content': 'OK'}}]})

    def log_message(self, *args):
        pass

server = http.server.HTTPServer(('127.0.0.1', 0), Api)
open('port', 'w').write(str(server.server_port) + '\n')
server.serve_forever()
-- typed.py --
# Types each second argument when the one before it has been written.
import os, pty, sys

child, terminal = pty.fork()
if not child:
    os.execvp('nanoclaw', ['nanoclaw', '--no-color', 'setup'])
said = ''
steps = sys.argv[1:]
while True:
    try:
        data = os.read(terminal, 1000)
    except OSError:
        data = b''
    if not data:
        break
    said += data.decode()
    while steps and steps[0] in said:
        before, said = said.split(steps[0], 1)
        print((before + steps[0]).replace('\r', ''), end='')
        os.write(terminal, steps[1].encode() + b'\n')
        steps = steps[2:]
print(said.replace('\r', ''), end='')
print('exit', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
== run ==
$ mkfifo port; (exec python3 serve.py) & echo $! >pid; read -r port <port; echo $port >here; rm port
$ python3 typed.py '> ' 'a server of mine' '> ' 'of your own' '> ' 'another' \
	'8080? ' 'http//x y' '8080? ' 'localhost:1' '1] ' localhost:$(cat here) \
	| sed "s/$(cat here)/PORT/g"
> Which model can you use?
> ...
> > a server of mine
> Please type a number from 1 to [..]. Enter alone means [..], Ctrl-C stops.
> > of your own
> Which server is it?
>   [1] another one (recommended)
>   [2] llama.cpp
>   [3] LM Studio
>   [4] Ollama
>   [5] vLLM
> > another
> Its address, such as localhost:8080? http//x y
> That is no address. One looks like localhost:8080 or https://example.com/v1.
> Its address, such as localhost:8080? localhost:1
>
> That did not work: localhost:1 does not answer at http://localhost:1: [..]
> You could do this: check the address, and whether this machine is online.
> Please try again; Ctrl-C stops.
> Its address? [http://localhost:1] localhost:PORT
> Asking only for a word ...
> It works. '.env' now has NANOCLAW_AGENT=native. Run 'nanoclaw start'.
> exit 0
$ sed "s/$(cat here)/PORT/" .env; kill $(cat pid); rm here pid .env
> NANOCLAW_PROVIDER=custom
> NANOCLAW_MODEL_URL='http://localhost:PORT'
> NANOCLAW_MODEL=only
> NANOCLAW_AGENT=native
$ nanoclaw setup --with custom --url localhost:1 --model small
? 1
2> error: localhost:1 does not answer at http://localhost:1: [..]
2> hint: check the address, and whether this machine is online; '.env' is as it was
