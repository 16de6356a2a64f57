import { commandLine, read } from './api.js';
import { listen } from './events.js';
import { markdown } from './markdown.js';
import { Action, Command, Empty, Page, Problem, Read, Section, Time, count, dayOf, duration, html, money, run, sameDay, useDraft, useEffect, useLayoutEffect, useRead, useRef, useState } from './parts.js';

const PAGE = 50; // messages

// Text that agents are writing, by turn: gathered from events, until the answer is stored.
function useStreams(group) {
	const [streams, setStreams] = useState({});
	useEffect(() => listen(event => {
		if (event.type === 'resync' || event.type === 'host') setStreams({}); // the host has gone, or is back
		if (event.type !== 'text' || event.group !== group) return;
		setStreams(old => ({ ...old, [event.turn]: event.done ? undefined : (event.from ? old[event.turn] ?? '' : '') + event.text }));
	}), [group]);
	return streams;
}

// The latest messages, and older ones on request, by id: a page that comes twice, or after a break,
// adds nothing twice. If a break was so long that some in between are unknown, the older ones go.
function useMessages(group) {
	const latest = useRead('messages', { group });
	const known = useRef(new Map());
	const [older, setOlder] = useState({}); // a new object each time, so that what came is shown
	const add = messages => messages.forEach(message => known.current.set(message.id, message));
	const shown = latest.data?.messages ?? [];
	if (shown.length >= PAGE && known.current.size && !known.current.has(shown[0].id)) known.current.clear();
	add(shown);
	const all = [...known.current.values()].sort((a, b) => a.id < b.id ? -1 : 1);
	const more = async holdPlace => {
		const data = await read('messages', { group, before: all[0].id });
		holdPlace();
		add(data.messages);
		setOlder({ all: data.messages.length < PAGE });
	};
	return { latest, all, more: !older.all && all.length >= PAGE && more };
}

function Message({ message, path }) {
	const mine = message.kind === 'message';
	return html`<li class=${`message ${mine ? 'mine' : message.kind}`}>
		<p class="meta">${mine ? message.from : 'assistant'} <${Time} at=${message.time} day=${false} />${message.waiting ? ' · not delivered yet' : ''}
			${!mine && message.turn && html` <a href=${`#/chat/${path}/${message.turn}`}>trace</a>`}</p>
		<div class="text">${mine ? html`<p>${message.text}</p>` : markdown(message.text)}</div>
	</li>`;
}

export default function Chat({ path: [group, turn] }) {
	const groups = useRead('groups');
	const here = group ?? groups.data?.groups?.find(one => one.isMain)?.folder ?? groups.data?.groups?.[0]?.folder;
	return html`<${Page} title="Chat" wide command="messages" params=${{ group: here }}>
		<${Read} of=${groups}>${data => html`<div class="tabs" role="navigation" aria-label="Groups">${data.groups.map(one => html`
			<a href=${`#/chat/${encodeURIComponent(one.folder)}`} aria-current=${one.folder === here ? 'true' : undefined}>${one.name}</a>`)}</div>`}<//>
		<div class=${turn ? 'traced' : ''}>
			<div>${here && html`<${Conversation} group=${here} key=${here} />`}</div>
			${turn && html`<${Trace} turn=${turn} group=${here} />`}
		</div>
	<//>`;
}

// The end of the page stays in view, unless the person has scrolled away from it. Returns a function
// that keeps what is in view in its place when something comes above it.
function useEndInView() {
	const below = useRef(0); // pixels, from the top of the window to the end
	const root = document.documentElement;
	const follows = useRef(true);
	useEffect(() => {
		const scrolled = () => { follows.current = root.scrollHeight - scrollY - innerHeight < 80; };
		addEventListener('scroll', scrolled);
		return () => removeEventListener('scroll', scrolled);
	}, []);
	useLayoutEffect(() => {
		if (below.current || follows.current) scrollTo(0, root.scrollHeight - below.current);
		below.current = 0;
	});
	return () => { below.current = root.scrollHeight - scrollY; };
}

function Conversation({ group }) {
	const { latest, all, more } = useMessages(group);
	const streams = useStreams(group);
	const [text, setText] = useDraft(`chat ${group}`);
	const holdPlace = useEndInView();
	const answered = new Set(all.filter(message => message.kind === 'answer').map(message => message.turn));
	const writing = Object.entries(streams).filter(([turn, words]) => words && !answered.has(turn));
	const send = async event => {
		event.preventDefault();
		if (!text?.trim()) return;
		setText(null); // what is typed from now on is the next message
		const done = await run('send', { group, text });
		if (done?.exit !== 0) setText(next => next ? `${text}\n${next}` : text);
		latest.reload();
	};
	const keys = event => { if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) send(event); };
	return html`<${Read} of=${latest}>${() => html`
		${more && html`<p><button type="button" onClick=${() => more(holdPlace)}>Older messages</button></p>`}
		${all.length ? html`<ol class="chat" aria-label="Messages" aria-live="polite">${all.map((message, i) => html`
			${(!i || !sameDay(all[i - 1].time, message.time)) && html`<li class="day">${dayOf(message.time)}</li>`}
			<${Message} message=${message} path=${group} key=${message.id} />`)}
			${writing.map(([turn, words]) => html`<li class="message answer writing" key=${turn} aria-busy="true">
				<p class="meta">assistant is writing <${Action} name="turn-stop" params=${{ turn }} label="Stop" kind="small danger" /></p>
				<div class="text">${markdown(words)}</div></li>`)}
		</ol>` : html`<${Empty}>Nothing has been said here yet.<//>`}
		<form class="compose" onSubmit=${send}>
			<label class="hidden" for="say">Message to ${group}</label>
			<textarea id="say" rows="2" placeholder=${`Message to ${group}`} value=${text ?? ''} onInput=${event => setText(event.target.value)} onKeyDown=${keys}></textarea>
			<button class="main" data-command=${commandLine('send', { group })}>Send</button>
			<p class="quiet small">Enter sends, Shift+Enter starts a line.</p>
		</form>`}<//>`;
}

// --- a turn as a waterfall -----------------------------------------------------------------

// Each step lasts until the next one.
function waterfall(steps) {
	const times = steps.map(step => Date.parse(step.time));
	const first = Math.min(...times);
	const total = Math.max(1, Math.max(...times) - first);
	return steps.map((step, i) => {
		const length = (times[i + 1] ?? times[i]) - times[i];
		return { ...step, length, left: (times[i] - first) / total * 100, width: Math.max(0.6, length / total * 100) };
	});
}

export function Trace({ turn, group }) {
	const trace = useRead('trace', { turn });
	return html`<div class="panel"><${Section} title=${`Turn ${turn}`} aside=${trace.data?.state}>
		<p><${Command} line=${commandLine('trace', { turn })} /> <a href=${`#/chat/${group}`}>Close</a></p>
		<${Read} of=${trace}>${data => {
			const steps = waterfall(data.steps);
			const whole = Date.parse(data.steps.at(-1)?.time) - Date.parse(data.steps[0]?.time);
			const used = data.usage;
			return html`
			<p class="quiet">${duration(whole)}${used && html` · ${count(used.inputTokens)} tokens in, ${count(used.outputTokens)} out
				${used.cacheReadTokens ? `, ${count(used.cacheReadTokens)} cached` : ''} · <strong>${money(used.costMicroUsd)}</strong>`}</p>
			<ol class="waterfall">${steps.map(step => html`<li>
				<span class="what">${step.what}</span>
				<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
					<rect class="track" width="100" height="8" /><rect class=${`step ${step.what}`} x=${Math.min(step.left, 99.4)} width=${step.width} height="8" /></svg>
				<span class="length">${step.length ? duration(step.length) : ''}</span>
				<span class="detail quiet">${step.detail}${step.costMicroUsd ? ` · ${money(step.costMicroUsd)}` : ''}</span>
			</li>`)}</ol>
			${data.error && html`<${Problem} error=${{ message: data.error }} />`}`;
		}}<//>
	<//></div>`;
}
