// Calls of the server, which runs one nanoclaw command for each. A session begins with the code
// in the link's fragment and lasts as long as the server; its token is in localStorage, which
// all tabs share and no other port can read.

const KEY = 'nanoclaw-token';

// Does another tab have a session now?
export const isToken = event => event.key === KEY && Boolean(event.newValue);

export class Failure extends Error {
	constructor(message, status, hint) {
		super(message);
		this.status = status; // of HTTP; 0: the server did not answer
		this.hint = hint;
	}
}

export async function request(path, options = {}) {
	const token = localStorage.getItem(KEY);
	const headers = { ...options.headers, ...(token && { Authorization: `Bearer ${token}` }) };
	let answer;
	try {
		answer = await fetch(`/api/${path}`, { ...options, headers, cache: 'no-cache' });
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw new Failure('nanoclaw web does not answer', 0, 'nanoclaw web');
	}
	if (answer.status === 401) {
		localStorage.removeItem(KEY);
		dispatchEvent(new Event('signed-out'));
	}
	return answer;
}

async function json(answer) {
	const text = await answer.text();
	let value;
	try { value = JSON.parse(text); } catch { value = { error: text.trim() || answer.statusText }; }
	if (answer.ok) return value;
	throw new Failure(value.error || answer.statusText, answer.status, value.hint);
}

const body = value => ({
	method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(value),
});

// True if there is a session. The code of a link is used once and taken out of the address.
export async function signIn() {
	const code = location.hash.match(/^#code=([\w-]+)$/)?.[1];
	if (code) {
		location.replace('#/');
		localStorage.setItem(KEY, (await json(await request('session', body({ code })))).token);
	}
	return Boolean(localStorage.getItem(KEY));
}

// A read: the JSON of the command. A command that failed is a Failure too.
export async function read(name, params = {}, signal) {
	const given = Object.entries(params).filter(([, value]) => value !== undefined && value !== '');
	const query = given.length ? `?${new URLSearchParams(given)}` : '';
	return json(await request(name + query, { signal }));
}

// An action: {exit, result}. A long one is a job, whose last event has the same form.
export async function act(name, params = {}) {
	const answer = await json(await request(name, body(params)));
	if (answer.job === undefined) return answer;
	return new Promise(done => {
		waiting.set(answer.job, done);
		askJobs();
	});
}

const waiting = new Map(); // jobs that have not ended, and who waits for them

function jobEnded({ job, exit, result }) {
	waiting.get(job)?.({ exit, result });
	waiting.delete(job);
}

// Jobs may have ended before anybody listened, or while the stream was broken.
async function askJobs() {
	for (const job of waiting.keys()) {
		const state = await read('job', { job }).catch(error => ({ job, exit: 1, result: { error: error.message } }));
		if (!state.running) jobEnded(state);
	}
}

export function jobEvent(event) {
	if (event.type === 'resync' || event.type === 'online') askJobs();
	if (event.type !== 'job' || event.exit === undefined) return;
	if (event.result) jobEnded(event);
	else askJobs();
}

// --- the commands behind the routes ---------------------------------------------------

let rows = new Map();

export async function loadCommands() {
	const { commands } = await read('commands');
	rows = new Map(commands.map(row => [row.name, row]));
}

export const can = name => rows.has(name);

const quote = word => /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;

// The command line of a call, to show and to paste into a shell. In a row's command, {name} is a
// parameter, and words in [ ] are left out if their parameter is missing. "--" is shown where a
// value needs it.
export function commandLine(name, params = {}) {
	const out = ['nanoclaw'];
	const dashes = Object.values(params).some(value => String(value).startsWith('-'));
	let optional = null;
	let complete = true;
	for (let word of rows.get(name)?.command ?? [name]) {
		if (word.startsWith('[')) { optional = []; complete = true; word = word.slice(1); }
		const last = optional && word.endsWith(']');
		if (last) word = word.slice(0, -1);
		const param = word.match(/^\{([\w-]+)\}$/)?.[1];
		const value = param ? params[param] : word;
		if (value === undefined || value === '') complete = false;
		if (word === '--' && !dashes) continue;
		(optional ?? out).push(value === undefined || value === '' ? param.toUpperCase() : quote(String(value)));
		if (!last) continue;
		if (complete) out.push(...optional);
		optional = null;
	}
	return out.join(' ') + (rows.get(name)?.stdin ? ' < FILE' : '');
}
