// What the pages are made of: reads that stay fresh, actions that show their command, and small
// pieces of the interface.
import { html, useEffect, useLayoutEffect, useRef, useState } from './vendor/preact.js';
import { act, can, commandLine, read } from './api.js';
import { listen } from './events.js';

export { html, useEffect, useLayoutEffect, useRef, useState };

// --- reads ------------------------------------------------------------------------------

// Does the event change anything that a read has?
const isNews = event => !['hello', 'offline', 'text'].includes(event.type) && !(event.type === 'job' && event.exit === undefined);

// How many reads are under way, for tests.
let reads = 0;
const reading = change => { document.documentElement.dataset.reads = reads += change; };

const seen = new Map(); // the last answer of each read, to show at once when a page comes back
export const forgetReads = () => seen.clear();

// {data, error, reload}. The read is repeated after events, at most every 300 ms.
export function useRead(name, params = {}) {
	const key = name && name + JSON.stringify(params);
	const [state, setState] = useState({});
	const reload = useRef(() => {});
	useEffect(() => {
		if (!name) return undefined;
		const ended = new AbortController();
		let timer = 0;
		let running = false;
		const run = async () => {
			timer = 0;
			if (running) return later();
			running = true;
			reading(1);
			try {
				const data = await read(name, params, ended.signal);
				seen.set(key, data);
				setState({ key, data });
			} catch (error) {
				if (!ended.signal.aborted) setState({ key, error, data: seen.get(key) });
			}
			running = false;
			reading(-1);
			return undefined;
		};
		const later = () => { timer ||= setTimeout(run, 300); };
		reload.current = run;
		run();
		const stop = listen(event => { if (isNews(event)) later(); });
		return () => { stop(); ended.abort(); clearTimeout(timer); };
	}, [key]);
	const now = state.key === key ? state : { data: seen.get(key) };
	return { ...now, reload: () => reload.current() };
}

// The content of a read, or why there is none.
export function Read({ of, children }) {
	if (of.data && (of.data.success !== false || !of.data.error)) return children(of.data);
	if (of.error || of.data) return html`<${Problem} error=${of.error ?? of.data} />`;
	return html`<p class="quiet" aria-busy="true">Loading …</p>`;
}

export function Problem({ error }) {
	return html`<div class="note bad" role="alert">
		<p>${error.message || error.error || 'It failed, and nothing says why.'}</p>
		${error.hint && html`<p class="quiet">${error.hint}</p>`}
	</div>`;
}

// --- drafts ---------------------------------------------------------------------------------

// What a person has typed in an editor, until it is sent or saved: [draft, keep]. A tab keeps it
// while other pages are shown and when it is loaded again. Null: there is none.
export function useDraft(editor) {
	const key = `nanoclaw-draft ${editor}`;
	const stored = () => JSON.parse(sessionStorage.getItem(key));
	const [draft, setDraft] = useState(stored);
	const keep = value => {
		const next = typeof value === 'function' ? value(stored()) : value;
		try {
			if (next === null) sessionStorage.removeItem(key);
			else sessionStorage.setItem(key, JSON.stringify(next));
		} catch { /* too large to be kept: it lasts as long as the page */ }
		setDraft(next);
	};
	return [draft, keep];
}

// --- the line at the bottom: the command of the focused action, or the last result ---------

let showLine = () => {};
export const say = (text, kind = '') => showLine({ text, kind });

export function StatusLine() {
	const [line, setLine] = useState({ text: '' });
	showLine = setLine;
	useEffect(() => {
		const command = event => {
			const found = event.target.closest?.('[data-command]');
			if (found) setLine({ text: `$ ${found.dataset.command}`, kind: 'command' });
		};
		addEventListener('focusin', command);
		addEventListener('pointerover', command);
		return listen(event => { if (event.line) setLine({ text: event.line, kind: 'command' }); });
	}, []);
	return html`<footer role="status" class=${`line ${line.kind ?? ''}`}>${line.text}</footer>`;
}

// --- actions ------------------------------------------------------------------------------

// The error of a result that did not succeed, and what helps, else null.
export const failureOf = ({ exit, result }) =>
	exit && exit !== 3 ? { message: result?.error ?? `exit code ${exit}`, hint: result?.hint } : null;

// Run an action and report it in the line at the bottom. Returns {exit, result}, or null.
export async function run(name, params) {
	const line = commandLine(name, params);
	say(`$ ${line} …`, 'command');
	try {
		const done = await act(name, params);
		const failed = failureOf(done);
		say(failed ? `✗ ${failed.message}${failed.hint ? `\n  ${failed.hint}` : ''}` : `✓ ${line}${done.exit === 3 ? ': paused on a conflict' : ''}`,
			failed ? 'bad' : 'good');
		return done;
	} catch (error) {
		say(`✗ ${error.message}`, 'bad');
		return null;
	}
}

// A button for an action. With `preview`, a function that returns the content of a dialog (it may
// be async), the person sees that first and confirms it.
export function Action({ name, params = {}, label, kind = '', preview, onDone, disabled, ...rest }) {
	const [busy, setBusy] = useState(false);
	const [shown, setShown] = useState(null);
	if (!can(name)) return null;
	const line = commandLine(name, params);
	const go = async () => {
		setShown(null);
		setBusy(true);
		const done = await run(name, params);
		setBusy(false);
		if (done) onDone?.(done);
	};
	const look = async () => {
		setShown({});
		try {
			setShown({ content: await preview() });
		} catch (error) {
			setShown({ content: html`<${Problem} error=${error} />`, failed: true });
		}
	};
	return html`<button type="button" class=${kind} data-command=${line} title=${`$ ${line}`}
			disabled=${disabled || busy} aria-busy=${busy} onClick=${preview ? look : go} ...${rest}>${label}</button>
		${shown && html`<${Dialog} title=${rest['aria-label'] ?? label} onClose=${() => setShown(null)}>
			<div class="preview">${shown.content ?? html`<p class="quiet" aria-busy="true">Looking …</p>`}</div>
			<p><${Command} line=${line} /></p>
			<p class="buttons">
				<button type="button" class=${kind || 'main'} disabled=${!shown.content || shown.failed} onClick=${go}>${label}</button>
				<button type="button" onClick=${() => setShown(null)}>Back</button>
			</p>
		<//>`}`;
}

export function Dialog({ title, onClose, children }) {
	const dialog = useRef();
	useEffect(() => {
		const shown = dialog.current;
		shown.showModal();
		return () => shown.close(); // the focus goes back to where it was
	}, []);
	return html`<dialog ref=${dialog} onClose=${onClose} aria-label=${title}>
		<h2>${title}</h2>${children}
	</dialog>`;
}

export const Command = ({ line }) => html`<code class="command"><span aria-hidden="true">$ </span>${line}</code>`;

// --- pages ---------------------------------------------------------------------------------

// A page with its title and the command that shows the same on a terminal.
export function Page({ title, command, params, lead, tools, wide, children }) {
	useEffect(() => { document.title = `${title} · NanoClaw`; }, [title]);
	return html`<div class=${wide ? 'page wide' : 'page'}>
		<header>
			<h1 tabIndex="-1">${title}</h1>
			${tools && html`<div class="buttons">${tools}</div>`}
			${lead && html`<p class="lead">${lead}</p>`}
			${command && html`<${Command} line=${commandLine(command, params)} />`}
		</header>
		${children}
	</div>`;
}

export const Section = ({ title, aside, children, ...rest }) => html`<section ...${rest}>
	<h2>${title}${aside !== undefined && html` <small>${aside}</small>`}</h2>${children}
</section>`;

// The title of a column that needs none for those who see it.
export const unseen = text => html`<span class="hidden">${text}</span>`;

export const Empty = ({ children }) => html`<p class="quiet">${children}</p>`;

export const Dot = ({ state }) => html`<span class=${`dot ${state}`} aria-hidden="true"></span>`;

// A table whose columns are [title, cell(row), class].
export function Table({ rows, columns, label, empty = 'Nothing here yet.' }) {
	if (!rows.length) return html`<${Empty}>${empty}<//>`;
	return html`<div class="scroll" tabIndex="0" role="region" aria-label=${label}><table>
		<thead><tr>${columns.map(([title, , kind]) => html`<th scope="col" class=${kind}>${title}</th>`)}</tr></thead>
		<tbody>${rows.map(row => html`<tr>${columns.map(([, cell, kind]) => html`<td class=${kind}>${cell(row)}</td>`)}</tr>`)}</tbody>
	</table></div>`;
}

// --- words and figures -----------------------------------------------------------------------

const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const DAY = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const FULL = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export const sameDay = (a, b) => new Date(a).toDateString() === new Date(b).toDateString();

export const dayOf = time => sameDay(time, Date.now()) ? 'Today' : DAY.format(new Date(time));

export function Time({ at, day }) {
	if (!at) return '–';
	const date = new Date(at);
	const clock = CLOCK.format(date);
	const text = day === false || sameDay(date, Date.now()) ? clock : `${DAY.format(date)} ${clock}`;
	return html`<time dateTime=${at} title=${FULL.format(date)}>${text}</time>`;
}

export const money = micro => `$${(micro / 1e6).toFixed(micro && micro < 1e4 ? 4 : 2)}`;

export const count = value => value < 1e4 ? String(value)
	: value < 1e6 ? `${(value / 1e3).toFixed(value < 1e5 ? 1 : 0)}k` : `${(value / 1e6).toFixed(1)}M`;

export const plural = (number, word) => `${number} ${word}${number === 1 ? '' : 's'}`;

export const duration = ms => ms < 1000 ? `${Math.round(ms)} ms`
	: ms < 6e4 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 6e4)} min ${Math.round(ms % 6e4 / 1000)} s`;

// --- keys --------------------------------------------------------------------------------------

const keys = []; // [{key, help, run}], those of the present page last

// Keys of a page while it is shown: {key: [help, function]}.
export function useKeys(map) {
	const latest = useRef();
	latest.current = map;
	useEffect(() => {
		const mine = Object.entries(map).map(([key, [help]]) => ({ key, help, run: () => latest.current[key][1]() }));
		keys.push(...mine);
		return () => mine.forEach(entry => keys.splice(keys.indexOf(entry), 1));
	}, []);
}

export const keyList = () => keys;

// A unified diff or a text of code, line by line.
export const Patch = ({ text }) => html`<pre class="patch" tabIndex="0">${text.split('\n').map(line =>
	html`<span class=${/^(\+\+\+|---|diff|index|@@)/.test(line) ? 'meta' : line[0] === '+' ? 'add' : line[0] === '-' ? 'del' : ''}>${line}${'\n'}</span>`)}</pre>`;
