// Events of the server, once per browser: the tab that holds a lock reads the stream and passes
// events on to the others. Browsers allow six connections to a host, so one stream per tab would
// stall the seventh tab.
import { request, jobEvent } from './api.js';

const channel = new BroadcastChannel('nanoclaw-events');
const listeners = new Set();
let last; // the number of the last event that was seen here
let away = false;

function deliver(event) {
	if (event.seq !== undefined) {
		if (event.seq <= last && event.type !== 'resync') return;
		last = event.seq;
	}
	jobEvent(event);
	for (const listener of listeners) listener(event);
}

// Call `listener` for every event; returns a function that ends it.
export function listen(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

const pause = ms => new Promise(done => setTimeout(done, ms));

async function readStream() {
	const answer = await request(`events${last === undefined ? '' : `?after=${last}`}`);
	if (!answer.ok) throw new Error(answer.statusText);
	if (away) pass({ type: 'online' });
	away = false;
	const lines = answer.body.pipeThrough(new TextDecoderStream()).getReader();
	for (let rest = ''; ;) {
		const { value, done } = await lines.read();
		if (done) return;
		const parts = (rest + value).split('\n');
		rest = parts.pop();
		parts.filter(Boolean).forEach(line => pass(JSON.parse(line)));
	}
}

function pass(event) {
	channel.postMessage(event);
	deliver(event);
}

// Never ends. Whichever tab has the lock leads; when it is closed, the next one continues after
// the last event that it saw.
export function startEvents() {
	channel.onmessage = message => deliver(message.data);
	navigator.locks.request('nanoclaw-events', async () => {
		for (let wait = 250; ; wait = Math.min(wait * 2, 8000)) {
			try { await readStream(); wait = 125; } catch { /* the server is away */ }
			away = true;
			pass({ type: 'offline' });
			await pause(wait);
		}
	});
}
