import { read } from './api.js';
import { Dot, Page, Read, Table, Time, html, useRead, useState } from './parts.js';

const KINDS = ['', 'tool', 'egress', 'budget', 'agent'];

export default function Audit() {
	const [kind, setKind] = useState('');
	const [words, setWords] = useState('');
	const [older, setOlder] = useState([]);
	const audit = useRead('audit', { kind });
	const rows = [...new Map([...older, ...(audit.data?.entries ?? [])].map(row => [row.id, row])).values()].sort((a, b) => b.id - a.id);
	const shown = rows.filter(row => !words || JSON.stringify(row).toLowerCase().includes(words.toLowerCase()));
	const more = async () => setOlder([...older, ...(await read('audit', { kind, before: rows.at(-1).id })).entries]);
	return html`<${Page} title="Audit" command="audit" params=${{ kind }} wide lead="What agents asked for, and the outcome."
			tools=${html`<label>Kind <select value=${kind} onChange=${event => { setKind(event.target.value); setOlder([]); }}>
					${KINDS.map(name => html`<option value=${name}>${name || 'all'}</option>`)}</select></label>
				<label>Find <input type="search" value=${words} onInput=${event => setWords(event.target.value)} /></label>`}>
		<${Read} of=${audit}>${() => html`<${Table} label="Audit" rows=${shown} empty="No agent has asked for anything." columns=${[
			['Time', row => html`<${Time} at=${row.time} />`],
			['Group', row => row.group],
			['Kind', row => row.kind],
			['What', row => html`<strong>${row.what}</strong>`],
			['Outcome', row => html`<${Dot} state=${{ done: 'good', asked: 'good', refused: 'bad', failed: 'bad' }[row.outcome] ?? 'warn'} /> ${row.outcome}`],
			['Detail', row => html`<span class="cut" title=${row.detail}>${row.detail}</span>`, 'grow'],
			['Turn', row => row.turn ? html`<a href=${`#/chat/${row.group}/${row.turn}`}>${row.turn}</a>` : ''],
		]} />
		${rows.length >= 50 && html`<p><button type="button" onClick=${more}>Older entries</button></p>`}`}<//>
	<//>`;
}
