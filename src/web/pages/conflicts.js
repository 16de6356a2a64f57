// The conflicts of a paused operation. Every choice is written to the file at once, by the same
// commands and with the same bytes as on a terminal, and names the hash of the file that is
// shown here: if it has changed, nothing is written. Nothing is resolved until a person says so.
import { commandLine } from './api.js';
import { markdown } from './markdown.js';
import { Action, Command, Dot, Empty, Page, Read, Section, html, plural, run, say, useDraft, useEffect, useKeys, useRead, useRef, useState } from './parts.js';

const STATES = { open: 'warn', missing: 'bad', resolved: 'good', kept: 'good', deleted: 'good' };
const undone = []; // [{path, text}]: files as they were before the choices of this tab, the last one last

export default function Conflicts({ path: [path] }) {
	const conflicts = useRead('conflicts');
	const status = useRead('status');
	const all = conflicts.data?.conflicts ?? [];
	const left = all.filter(conflict => ['open', 'missing'].includes(conflict.state));
	const here = path ?? left[0]?.path ?? all[0]?.path;
	const reload = () => { conflicts.reload(); };
	const finished = done => {
		if (done.exit) return;
		undone.length = 0;
		location.hash = '/stack';
	};
	return html`<${Page} title="Conflicts" command="conflicts" wide>
		<${Read} of=${conflicts}>${data => !data.operation ? html`<${Empty}>Nothing is paused.<//>` : html`
			<p class="lead"><strong>${data.operation}</strong> is paused: ${left.length ? `${left.length} of ${plural(all.length, 'file')} left to resolve.` : 'everything is resolved.'}</p>
			<div class="tabs" role="navigation" aria-label="Files">${all.map(conflict => html`
				<a href=${`#/conflicts/${encodeURIComponent(conflict.path)}`} aria-current=${conflict.path === here ? 'true' : undefined}>
					<${Dot} state=${STATES[conflict.state]} />${conflict.path} <small>${conflict.hunkCount ? plural(conflict.hunkCount, 'hunk') : conflict.state}</small></a>`)}</div>
			${here && html`<${File} path=${here} key=${here} reload=${reload} />`}
			<p class="buttons ending">
				<${Action} name="continue" label="Continue" kind="main" disabled=${left.length > 0} onDone=${finished} />
				<${Action} name="abort" label="Abort" kind="danger" onDone=${finished}
					preview=${() => html`<p>Every file becomes as it was before <strong>${data.operation}</strong>. Edits that you made since then are kept in <code>.nanoclaw/kept</code>.</p>`} />
				${status.data?.pending && left.length > 0 && html`<span class="quiet">Continue is possible when nothing is left.</span>`}
			</p>`}<//>
	<//>`;
}

function File({ path, reload }) {
	const conflict = useRead('conflict', { path });
	const data = conflict.data;
	const [at, setAt] = useState(0);
	const hunk = data?.hunks?.[Math.min(at, data.hunks.length - 1)];
	const change = async (name, params) => {
		const before = data.text;
		const done = await run(name, { path, hash: data.sha256 ?? undefined, ...params });
		if (done && !done.exit && before !== null) undone.push({ path, text: before });
		await conflict.reload();
		reload();
		return done?.exit === 0;
	};
	const take = side => hunk?.clear && change('conflict-take', { side, hunk: hunk.hunk });
	const undo = async () => {
		const last = undone.at(-1);
		if (!last) return say('nothing to undo');
		if (last.path !== path) { location.hash = `/conflicts/${encodeURIComponent(last.path)}`; return undefined; }
		undone.pop();
		await run('conflict-write', { path, hash: data.sha256, text: last.text });
		await conflict.reload();
		return reload();
	};
	useKeys({
		o: ['take yours', () => take('ours')],
		t: ['take theirs', () => take('theirs')],
		b: ['take both, yours first', () => take('both')],
		B: ['take both, theirs first', () => take('both-theirs-first')],
		e: ['edit the result', () => document.querySelector('.hunk.here textarea')?.focus()],
		u: ['undo the last choice', undo],
		s: ['go to the next hunk', () => setAt(data?.hunks?.length ? (at + 1) % data.hunks.length : 0)],
	});
	return html`<${Read} of=${conflict}>${now => html`<div class="split">
		<div>
			${now.kind === 'deletion' && html`<${Whole} conflict=${now} change=${change} ours="Keep it" theirs="Delete it"
				text=${`${now.skill} deletes this file, and it has changes. It stays unless you delete it.`} />`}
			${now.kind === 'binary' && html`<${Whole} conflict=${now} change=${change} ours="Keep yours" theirs=${`Take the version of ${now.skill}`}
				text=${`This file is not text. The version of ${now.skill} is in ${now.beside}.`} />`}
			${now.state === 'missing' && html`<p class="note bad">The file is missing: restore it in its resolved form.</p>`}
			${now.kind === 'text' && now.state === 'open' && !now.hunks.length && html`<p class="note warn">Its conflict markers do not match: edit the file.</p>`}
			${editors(now).map(([one, editor], i) => html`<${Hunk} key=${editor} editor=${editor} file=${now} hunk=${one} here=${one === hunk} onHere=${() => setAt(i)} change=${change} />`)}
			${now.state === 'resolved' && html`<p class="calm"><${Dot} state="good" /> Resolved: no marker is left in ${now.path}.</p>
				<details><summary>The file now</summary><pre class="code" tabIndex="0">${now.text}</pre></details>`}
			<p class="buttons">${undone.length > 0 && html`<button type="button" onClick=${undo}>Undo the last choice <kbd>u</kbd></button>`}</p>
		</div>
		<aside aria-label="Intents">${now.intents.map(intent => html`<${Intent} intent=${intent} />`)}
			${!now.intents.length && html`<${Empty}>No skill says what it means to do here.<//>`}</aside>
	</div>`}<//>`;
}

const Intent = ({ intent }) => html`<article class=${intent.yours ? 'intent yours' : 'intent theirs'}>
	<h3>${intent.skill} <small>${intent.version}${intent.yours ? ', part of yours' : ''}</small></h3>
	${[['Changes', intent.changes], ['Invariants', intent.invariants], ['Must keep', intent.mustKeepText]]
		.filter(([, text]) => text).map(([title, text]) => html`<h4>${title}</h4>${markdown(text)}`)}
</article>`;

function Whole({ conflict, change, ours, theirs, text }) {
	const choose = side => () => change('conflict-take', { side });
	const command = side => commandLine('conflict-take', { path: conflict.path, side });
	return html`<div class="note"><p>${text} <span class="tag">${conflict.state}</span></p>
		<p class="buttons"><button type="button" data-command=${command('ours')} onClick=${choose('ours')}>${ours}</button>
			<button type="button" class="danger" data-command=${command('theirs')} onClick=${choose('theirs')}>${theirs}</button></p></div>`;
}

// What the skills say must be kept, stands in the file now, and would be gone with this text.
function lost(file, hunk, text) {
	const whole = file.text ?? hunk.marked;
	const after = whole.replace(hunk.marked, () => text);
	return file.intents.flatMap(intent => intent.mustKeep.filter(piece => whole.includes(piece))
		.map(piece => ({ skill: intent.skill, piece, kept: after.includes(piece) })));
}

// A side with what it changes of the base marked: in each line, what lies between the beginning and
// the end that both share. Sides with other numbers of lines are shown without marks.
function marked(text, base) {
	const lines = text.split('\n');
	const old = base?.split('\n') ?? [];
	if (lines.length !== old.length) return text;
	return lines.map((line, i) => {
		let start = 0;
		let end = 0;
		const most = Math.min(line.length, old[i].length);
		while (start < most && line[start] === old[i][start]) start++;
		while (end < most - start && line.at(-1 - end) === old[i].at(-1 - end)) end++;
		return html`${i ? '\n' : ''}${line.slice(0, start)}${start + end < line.length && html`<mark>${line.slice(start, line.length - end)}</mark>`}${line.slice(line.length - end)}`;
	});
}

function Side({ title, label, text, base, kind, letter }) {
	return html`<section class=${`side ${kind}`}><h3>${title} <small>${label}</small>${letter && html` <kbd>${letter}</kbd>`}</h3>
		<pre tabIndex="0">${text === null ? '' : marked(text, base)}</pre>${text === '' && html`<p class="quiet">no lines</p>`}</section>`;
}

// A hunk keeps its editor when others before it are resolved: [[hunk, name of the editor]].
const editors = ({ path, hunks }) => hunks.map((hunk, i) =>
	[hunk, `conflict ${path} ${hunks.slice(0, i).filter(one => one.marked === hunk.marked).length} ${hunk.marked}`]);

function Hunk({ file, hunk, editor, here, onHere, change }) {
	const box = useRef();
	const eol = hunk.marked.includes('\r\n') ? '\r\n' : '\n';
	const [text, setText] = useDraft(editor);
	const proposed = (text ?? (hunk.clear ? hunk.both : hunk.marked)).replaceAll('\r\n', '\n');
	useEffect(() => { if (here) box.current.scrollIntoView({ block: 'nearest' }); }, [here]);
	const params = { path: file.path, hunk: hunk.hunk };
	const take = (side, label, letter) => html`<button type="button" onClick=${() => change('conflict-take', { side, hunk: hunk.hunk })}
		data-command=${commandLine('conflict-take', { ...params, side })}>${label} <kbd>${letter}</kbd></button>`;
	const write = async () => {
		if (await change('conflict-write', { hunk: hunk.hunk, text: proposed.replaceAll('\n', eol) })) setText(null);
	};
	const pieces = lost(file, hunk, text === null ? '' : proposed);
	return html`<article class=${here ? 'hunk here' : 'hunk'} ref=${box} onFocusIn=${onHere} aria-label=${`Hunk ${hunk.hunk} of ${file.hunkCount}`}>
		<h2>Hunk ${hunk.hunk} of ${file.hunkCount} <small>line ${hunk.line}</small></h2>
		<pre class="around">${hunk.before}</pre>
		${hunk.clear ? html`<div class="sides">
			<${Side} kind="ours" title="Yours" label="" text=${hunk.ours} base=${hunk.base} letter="o" />
			<${Side} kind="theirs" title="Theirs" label=${hunk.theirsLabel} text=${hunk.theirs} base=${hunk.base} letter="t" />
			<${Side} kind="base" title="Before both" label=${hunk.baseLabel} text=${hunk.base} />
		</div>
		<p class="buttons">${take('ours', 'Yours', 'o')} ${take('theirs', 'Theirs', 't')} ${take('both', 'Both', 'b')} ${take('both-theirs-first', 'Both, theirs first', 'B')}</p>`
			: html`<p class="note warn">Lines in this hunk look like markers, so its sides are ambiguous: edit the text.</p>`}
		<div class="result">
			<label for=${`result${hunk.hunk}`}>Result, if you edit it <kbd>e</kbd></label>
			<textarea id=${`result${hunk.hunk}`} rows=${Math.min(20, proposed.split('\n').length + 1)} spellcheck="false" value=${proposed} onInput=${event => setText(event.target.value)}></textarea>
			${pieces.length > 0 && html`<ul class="plain keep" aria-label="Must keep">${pieces.map(({ skill, piece, kept }) => html`<li>
				<${Dot} state=${text === null ? '' : kept ? 'good' : 'bad'} /> <code>${piece}</code> <small class="quiet">must keep, ${skill}${text !== null && !kept ? ': missing in the result' : ''}</small></li>`)}</ul>`}
			<p class="buttons"><button type="button" class="main" disabled=${text === null} onClick=${write} data-command=${commandLine('conflict-write', params)}>Use this result</button>
				${text !== null && html`<button type="button" onClick=${() => setText(null)}>Discard</button>`}
				<${Command} line=${commandLine('conflict-write', params)} /></p>
		</div>
		<pre class="around">${hunk.behind}</pre>
	</article>`;
}
