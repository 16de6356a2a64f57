// websocket.js TALK WS CERTIFICATES: our WebSocket client (talk.c) against the package ws, and
// against frames and handshakes that ws would never send. In TAP.
'use strict';

const { spawn } = require('child_process');
const { createHash } = require('crypto');
const { once } = require('events');
const fs = require('fs');
const https = require('https');
const net = require('net');

const [talkPath, wsPath, certificates] = process.argv.slice(2);
const { WebSocketServer } = require(wsPath);

// --- results ---------------------------------------------------------------------

let count = 0;
let failed = 0;

function result(ok, name, note) {
	count++;
	if (!ok) {
		failed++;
		console.log(`# ${JSON.stringify(note)}`);
	}
	console.log(`${ok ? '' : 'not '}ok ${count} - ${name}`);
}

// --- our client ------------------------------------------------------------------

class Client {
	constructor(url, ...words) {
		this.program = spawn(talkPath, [...words, url], { stdio: ['pipe', 'pipe', 'inherit'] });
		this.text = '';
		this.waiting = [];
		this.ended = new Promise((resolve) => {
			this.program.on('close', (code) => {
				this.code = code;
				resolve();
				this.waiting.splice(0).forEach((wake) => wake());
			});
		});
		this.program.stdin.on('error', () => {});
		this.program.stdout.setEncoding('utf8');
		this.program.stdout.on('data', (text) => {
			this.text += text;
			this.waiting.splice(0).forEach((wake) => wake());
		});
		this.timer = setTimeout(() => this.program.kill('SIGKILL'), 120000);
	}

	tell(line) {
		this.program.stdin.write(`${line}\n`);
		return this;
	}

	// Until it has said this, or has ended.
	async said(text) {
		while (!this.text.includes(text) && this.code === undefined)
			await new Promise((resolve) => this.waiting.push(resolve));
		return this.text.includes(text);
	}

	// All that it said; its exit code must be 0.
	async end() {
		await this.ended;
		clearTimeout(this.timer);
		return this.text.trimEnd() + (this.code ? ` (exit code ${this.code})` : '');
	}
}

// --- servers ---------------------------------------------------------------------

// Gives the server's side of a connection with our client.
async function pair(options, ...words) {
	const server = new WebSocketServer({ port: 0, host: '127.0.0.1', ...options });
	await once(server, 'listening');
	const client = new Client(`ws://127.0.0.1:${server.address().port}/path?query=1`, ...words);
	const [socket, request] = await once(server, 'connection');
	const closed = new Promise((resolve) => {
		socket.on('close', (code, reason) => resolve([code, String(reason)]));
	});
	socket.on('error', () => {});
	return { server, client, socket, request, closed };
}

// A server that answers the handshake with what the function makes of the key.
async function rawServer(answer) {
	const server = net.createServer((socket) => {
		let head = '';
		socket.on('error', () => {});
		socket.on('data', (data) => {
			head += data.toString('latin1');
			if (!head.includes('\r\n\r\n') || socket.answered)
				return;
			socket.answered = true;
			const key = /sec-websocket-key: (.*)\r\n/i.exec(head)[1];
			answer(socket, createHash('sha1')
				.update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64'));
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	server.url = `ws://127.0.0.1:${server.address().port}/`;
	return server;
}

function yes(accept, ...lines) {
	return ['HTTP/1.1 101 Switching Protocols', 'Upgrade: websocket', 'Connection: Upgrade',
		`Sec-WebSocket-Accept: ${accept}`, ...lines, '', ''].join('\r\n');
}

// Hexadecimal digits, and texts in slashes: bytes('81 01', '/a').
function bytes(...parts) {
	return Buffer.concat(parts.map((part) => part[0] === '/' ? Buffer.from(part.slice(1)) :
		Buffer.from(part.replaceAll(' ', ''), 'hex')));
}

function frame(first, payload, second = payload.length) {
	return Buffer.concat([Buffer.from([first, second]), payload]);
}

// --- messages --------------------------------------------------------------------

async function testMessages() {
	const { server, client, socket } = await pair({}, '--echo');
	const sizes = [0, 1, 125, 126, 127, 128, 65535, 65536, 65537, 300000, 5000000];
	const wrong = [];
	for (const size of sizes) {
		for (const binary of [false, true]) {
			const message = Buffer.alloc(size, binary ? '\x00\xff\x80' : 'text \u{1f600}',
				binary ? 'latin1' : 'utf8');
			const sent = binary ? message : message.toString('utf8');
			socket.send(sent, { binary });
			const [got, isBinary] = await once(socket, 'message');
			if (isBinary !== binary || !got.equals(Buffer.from(sent)))
				wrong.push([size, binary, got.length]);
		}
	}
	result(!wrong.length, 'messages of all sizes come back as they were', wrong);

	socket.send('frag', { fin: false });
	socket.send('', { fin: false });
	socket.send('mented ', { fin: false });
	socket.ping('in between');
	const [pong] = await once(socket, 'pong');
	socket.send('\u{1f600}', { fin: true });
	const [message] = await once(socket, 'message');
	result(String(pong) === 'in between' && String(message) === 'fragmented \u{1f600}',
		'a message in fragments is put together, and a ping between them is answered',
		[String(pong), String(message)]);

	for (let i = 0; i < 200; i++)
		socket.send('x', { fin: i === 199 });
	const [small] = await once(socket, 'message');
	result(small.length === 200, 'also if the fragments are many and small', small.length);

	socket._socket.write(bytes('01 02', '/a', 'c3'));
	socket._socket.write(bytes('80 02', 'a4', '/b'));
	const [split] = await once(socket, 'message');
	result(String(split) === 'a\u00e4b', 'a character may be split between fragments',
		String(split));

	const whole = frame(0x81, Buffer.from('byte by byte'));
	const echoed = once(socket, 'message');
	for (const byte of whole) {
		socket._socket.write(Buffer.from([byte]));
		await new Promise((resolve) => setTimeout(resolve, 2));
	}
	const [slow] = await echoed;
	result(String(slow) === 'byte by byte', 'frames may come byte by byte', String(slow));

	client.tell('close 3001');
	const said = await client.end();
	result(said === 'open\nclosed 3001 the server closed the connection',
		'our close is answered, and its code comes back', said);
	server.close();
}

async function testPings() {
	const { server, client, socket } = await pair({}, '--ping=50');
	for (let i = 0; i < 3; i++)
		await once(socket, 'ping');
	result(true, 'the server is pinged again and again');
	client.tell('drop');
	await client.end();
	server.close();

	const deaf = await rawServer((socket, accept) => socket.write(yes(accept)));
	const said = await new Client(deaf.url, '--ping=500').end();
	result(said === 'open\nclosed 1006 it did not answer a ping in time',
		'one that is silent after a ping is given up', said);
	deaf.close();
}

// --- ends ------------------------------------------------------------------------

async function testEnds() {
	for (const [code, reason] of [[1000, ''], [1001, 'going away'], [4004, 'wrong token \u00e4']]) {
		const { server, client, socket, closed } = await pair({});
		socket.close(code, reason);
		const said = await client.end();
		const [answer] = await closed;
		result(answer === code && said === `open\nclosed ${code} ` +
			(reason || 'the server closed the connection'),
			`the server's code ${code} arrives, and is answered`, [said, answer]);
		server.close();
	}
	{
		const { server, client, socket } = await pair({});
		socket._socket.write(bytes('88 00'));
		const said = await client.end();
		result(said === 'open\nclosed 1005 the server closed the connection',
			'a close without a code is 1005', said);
		server.close();
	}
	{
		const { server, client, socket } = await pair({});
		socket._socket.write(bytes('88 02 03e8', '81 05', '/after'));
		const said = await client.end();
		result(said === 'open\nclosed 1000 the server closed the connection',
			'what follows a close is ignored', said);
		server.close();
	}
	{
		const { server, client, socket } = await pair({});
		socket.terminate();
		const said = await client.end();
		result(/^open\nclosed 1006 /.test(said), 'a connection that ends without one is 1006', said);
		server.close();
	}
	{
		const { server, client, closed } = await pair({});
		client.tell('drop');
		const said = await client.end();
		await closed;
		result(said === 'open\ndropped', 'a socket that is dropped says nothing more', said);
		server.close();
	}
	{
		const { server, client, socket } = await pair({});
		socket.pause();
		client.tell('flood');
		await client.said('full');
		client.tell('drop');
		await client.said('dropped');
		socket.terminate();
		const said = await client.end();
		result(said === 'open\nfull\ndropped', 'the queue for a server that does not read is limited',
			said);
		server.close();
	}
}

// It waits for ten seconds, beside the others.
async function testMute() {
	const mute = await rawServer((socket, accept) => socket.write(yes(accept)));
	const said = await new Client(mute.url).tell('close 1000').end();
	result(said === 'open\nclosed 1006 it did not answer our close in time',
		'a server that does not answer our close is left', said);
	mute.close();
}

// --- limits and faults -----------------------------------------------------------

// The server sends this; our client must end with the code, and tell the server the same.
async function refuses(name, code, send, ...words) {
	const { server, client, socket, closed } = await pair({}, ...words);
	send(socket);
	const said = await client.end();
	const [told] = await closed;
	result(said.startsWith(`open\nclosed ${code} it `) && told === code, `${code}: ${name}`,
		[said, told]);
	server.close();
}

const raw = (...parts) => (socket) => socket._socket.write(bytes(...parts));

async function testLimits() {
	const { server, client, socket } = await pair({}, '--max=1000');
	socket.send('x'.repeat(1000));
	const ok = await client.said('text 1000 bytes');
	client.tell('drop');
	result(ok, 'a message may be as long as the limit', await client.end());
	server.close();
	await refuses('a message that is longer', 1009, (socket) => socket.send('x'.repeat(1001)),
		'--max=1000');
	await refuses('fragments that are longer together', 1009, (socket) => {
		for (let i = 0; i < 11; i++)
			socket.send('x'.repeat(100), { fin: i === 10 });
	}, '--max=1000');
	await refuses('a frame that claims exabytes', 1009,
		raw('82 7f 7fffffffffffffff', '/a'), '--max=1000');
}

async function testFaults() {
	await refuses('RSV1', 1002, raw('c1 01', '/a'));
	await refuses('RSV2', 1002, raw('a1 01', '/a'));
	await refuses('RSV3 on a ping', 1002, raw('99 00'));
	for (const opcode of ['83', '87', '8b', '8f'])
		await refuses(`the reserved opcode ${opcode}`, 1002, raw(opcode, '00'));
	await refuses('a masked frame', 1002, raw('81 81 00000000', '/a'));
	await refuses('a ping of 126 bytes', 1002, raw('89 7e 007e', `/${'x'.repeat(126)}`));
	await refuses('a ping in fragments', 1002, raw('09 01', '/a', '80 01', '/b'));
	await refuses('a close in fragments', 1002, raw('08 02 03e8'));
	await refuses('a continuation of nothing', 1002, raw('80 01', '/a'));
	await refuses('a new message within another', 1002, raw('01 01', '/a', '81 01', '/b'));
	await refuses('a length in two bytes that fits into one', 1002, raw('82 7e 0001', '/a'));
	await refuses('a length in eight bytes that fits into two', 1002,
		raw('82 7f 0000000000000001', '/a'));
	await refuses('a length of 2^63', 1002, raw('82 7f 8000000000000000', '/a'));
	await refuses('a close with half a code', 1002, raw('88 01 03'));
	for (const code of [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65535])
		await refuses(`a close with the code ${code}`, 1002,
			raw('88 02', code.toString(16).padStart(4, '0')));
	await refuses('text that is not UTF-8', 1007, raw('81 04', '/a', 'c328', '/a'));
	await refuses('a surrogate in text', 1007, raw('81 03 eda080'));
	await refuses('a character beyond U+10FFFF', 1007, raw('81 04 f4908080'));
	await refuses('text that ends within a character', 1007, raw('81 02', '/a', 'c3'));
	await refuses('a wrong character in a later fragment', 1007, raw('01 02', '/a', 'c3', '80 01 28'));
	await refuses('a reason that is not UTF-8', 1007, raw('88 04 03e8 c328'));
}

// --- handshakes ------------------------------------------------------------------

async function testHandshake() {
	const { server, client, request } = await pair(
		{ handleProtocols: (protocols) => [...protocols][0] },
		'--protocol=chat.v2', '--header=Authorization: Bearer token');
	result(await client.said('open') && request.url === '/path?query=1' &&
		request.headers.authorization === 'Bearer token' &&
		request.headers['sec-websocket-protocol'] === 'chat.v2' &&
		request.headers.host === `127.0.0.1:${server.address().port}`,
		'path, query, headers and subprotocol arrive', [request.url, request.headers]);
	client.tell('drop');
	await client.end();
	server.close();

	const early = await rawServer((socket, accept) => {
		socket.end(Buffer.concat([Buffer.from(yes(accept)), frame(0x81, Buffer.from('early')),
			bytes('88 02 03e8')]));
	});
	const said = await new Client(early.url).end();
	result(said === 'open\ntext early\nclosed 1000 the server closed the connection',
		'frames that come with the handshake are not lost', said);
	early.close();

	const faults = [
		['a status other than 101', 'refused the WebSocket with status 401',
			() => 'HTTP/1.1 401 Unauthorized\r\nContent-Length: 2\r\n\r\nno'],
		['a redirect', 'refused the WebSocket with status 302',
			() => 'HTTP/1.1 302 Found\r\nLocation: ws://127.0.0.1:1/\r\n\r\n'],
		['a wrong Sec-WebSocket-Accept', 'does not fit our key', () => yes('AAAA')],
		['the right one in other letters', 'does not fit our key',
			(accept) => yes(accept.toLowerCase())],
		['no Upgrade', 'another protocol',
			(accept) => yes(accept).replace('Upgrade: websocket\r\n', '')],
		['another Upgrade', 'another protocol',
			(accept) => yes(accept).replace('websocket', 'h2c')],
		['an extension', 'an extension that was not requested',
			(accept) => yes(accept, 'Sec-WebSocket-Extensions: permessage-deflate')],
		['a subprotocol', 'another subprotocol',
			(accept) => yes(accept, 'Sec-WebSocket-Protocol: chat')],
		['something else than HTTP', 'not valid HTTP', () => 'SSH-2.0-OpenSSH\r\n\r\n'],
		['an endless head', 'not valid HTTP', () => `HTTP/1.1 101 x\r\n${'a: b\r\n'.repeat(20000)}`],
	];
	for (const [name, why, answer] of faults) {
		const server = await rawServer((socket, accept) => socket.write(answer(accept)));
		const said = await new Client(server.url).end();
		result(said.startsWith('closed 1006 ') && said.includes(why), `a handshake with ${name} fails`,
			said);
		server.close();
	}
	const silent = await rawServer(() => {});
	const late = await new Client(silent.url, '--connect=500').end();
	result(late === 'closed 1006 it did not answer the handshake in time',
		'so does one without an answer', late);
	silent.close();

	for (const url of ['http://127.0.0.1/', 'wss://', 'ws://user:word@127.0.0.1/', 'wss://a b/', 'x']) {
		const refused = await new Client(url[0] === 'w' ? url : `w${url}`).end();
		result(refused.startsWith('error: the address of a WebSocket must be wss://'),
			`'${url}' is refused`, refused);
	}
	const injected = await new Client('ws://127.0.0.1:1/', '--header=a: b\r\nc: d').end();
	result(injected.startsWith('error: a header'), 'a header cannot smuggle in another', injected);
}

async function testTls() {
	for (const [certificate, authority, expected] of [['right', 'ours', /^open\ntext hello\ndropped$/],
		['right', 'theirs', /^closed 1006 .*issuer certificate/],
		['wrong', 'ours', /^closed 1006 .*subject name/]]) {
		const server = https.createServer({
			cert: fs.readFileSync(`${certificates}/${certificate}.pem`),
			key: fs.readFileSync(`${certificates}/${certificate}.key`),
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		new WebSocketServer({ server }).on('connection', (socket) => socket.send('hello'));
		const client = new Client(`wss://localhost:${server.address().port}`,
			`--ca=${certificates}/${authority}.pem`);
		await client.said('hello');
		client.tell('drop');
		const said = await client.end();
		result(expected.test(said), `TLS: the certificate '${certificate}', trusting '${authority}'`,
			said);
		server.close();
		server.closeAllConnections();
	}
}

(async () => {
	const mute = testMute();
	await testMessages();
	await testPings();
	await testEnds();
	await testLimits();
	await testFaults();
	await testHandshake();
	await testTls();
	await mute;
	console.log(`1..${count}`);
	process.exit(failed ? 1 : 0);
})();
