import { Action, Dot, Page, Read, Section, html, plural, useRead, useState } from './parts.js';

const STATE = { passed: 'good', unchanged: 'good', 'not run': '', undefined: '' };

// The pairs of skills as a grid: the diagonal is a skill alone, stacks of three and more follow.
let last = {}; // the results of the last run, also after the page was left

export default function Matrix({ path: [chosen] }) {
	const matrix = useRead('matrix');
	const [results, setResults] = useState(last);
	const finished = done => setResults(last = Object.fromEntries((done.result?.results ?? []).map(result => [result.id, result])));
	const Cell = ({ entry }) => {
		if (!entry) return html`<td class="none"><span class="hidden">not tested together</span></td>`;
		const result = results[entry.id];
		const kind = result ? STATE[result.outcome] ?? 'bad' : 'todo';
		return html`<td class=${kind}><a href=${`#/matrix/${encodeURIComponent(entry.id)}`}
			title=${`${entry.id}: ${entry.reasons.map(reason => reason.text).join('; ')}`}>${result ? (kind === 'good' ? '✓' : '✗') : '·'}
			<span class="hidden">${entry.skills.join(' and ')}: ${result?.outcome ?? 'not run'}</span></a></td>`;
	};
	return html`<${Page} title="Test matrix" command="matrix" wide lead="Combinations of skills that overlap, and so must be tested together."
			tools=${html`<${Action} name="matrix-run" label="Run" kind="main" onDone=${finished} />`}>
		<${Read} of=${matrix}>${data => data.cores.map(core => {
			const entries = data.entries.filter(entry => entry.core === core);
			const names = [...new Set(entries.flatMap(entry => entry.skills))].sort();
			const find = (...skills) => entries.find(entry => entry.skills.length === new Set(skills).size && skills.every(skill => entry.skills.includes(skill)));
			const entry = entries.find(one => one.id === chosen);
			const larger = entries.filter(entry => entry.skills.length > 2);
			return html`<${Section} title=${`Core ${core}`} aside=${plural(entries.length, 'entry').replace('entrys', 'entries')}>
				<div class="scroll" tabIndex="0" role="region" aria-label=${`Core ${core}`}><table class="grid">
					<thead><tr><td></td>${names.map(name => html`<th scope="col"><span>${name}</span></th>`)}</tr></thead>
					<tbody>${names.map((row, i) => html`<tr><th scope="row">${row}</th>${names.map((column, k) => k > i ? html`<td class="none"></td>` : html`<${Cell} entry=${find(row, column)} />`)}</tr>`)}</tbody>
				</table></div>
				${entry && html`<article class="note"><h3>${entry.skills.join(' + ')}</h3>
					<p>${entry.reasons.map(reason => reason.text).join('; ')}</p>
					<p class="quiet">${results[entry.id]?.error ?? results[entry.id]?.outcome ?? 'not run'}</p></article>`}
				${larger.length ? html`<h3>Stacks</h3><ul class="rows">${larger.map(entry => html`<li>
					<${Dot} state=${results[entry.id] ? STATE[results[entry.id].outcome] ?? 'bad' : ''} />
					<span class="grow">${entry.skills.join(' + ')}</span> <span class="quiet">${entry.reasons.map(reason => reason.text).join('; ')}</span></li>`)}</ul>` : ''}
				${Object.values(results).filter(result => result.error).map(result => html`<article class="note bad"><h3>${result.id}</h3><p>${result.error}</p></article>`)}
			<//>`;
		})}<//>
	<//>`;
}
