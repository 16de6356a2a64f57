import { Action, Empty, Page, Read, Section, Table, Time, html, plural, unseen, useRead } from './parts.js';
import { afterwards, dryRun } from './skills.js';

export default function History() {
	const history = useRead('engine-history');
	return html`<${Page} title="History" command="engine-history" lead="Finished operations on the source. Undo restores every file that they changed.">
		<${Read} of=${history}>${data => html`
			${data.redo.length ? html`<${Section} title="Undone"><ul class="rows">${data.redo.map((entry, i) => html`<li>
				<span class="grow">${entry.operation} ${entry.skills?.join(', ')}</span>
				${!i && html`<${Action} name="redo" label="Redo" preview=${dryRun('redo-preview', {})} onDone=${afterwards} />`}</li>`)}</ul><//>` : ''}
			<${Table} label="Operations" rows=${data.history} empty="Nothing to undo." columns=${[
				[unseen('Number'), entry => html`<span class="quiet">${entry.number}</span>`, 'number'],
				['Operation', entry => html`<strong>${entry.operation}</strong> ${entry.skills.join(', ')}`, 'grow'],
				['Files', entry => entry.files, 'number'],
				['Finished', entry => html`<${Time} at=${entry.finishedAt} />`],
				[unseen('Actions'), entry => {
					const back = data.history.indexOf(entry) + 1;
					return html`<${Action} name="undo" params=${{ count: back }} label=${back === 1 ? 'Undo' : `Undo ${back}`} kind="danger"
						aria-label=${`Undo ${plural(back, 'operation')}, back to before ${entry.operation} ${entry.skills.join(' ')}`}
						preview=${dryRun('undo-preview', { count: back })} onDone=${afterwards} />`;
				}],
			]} />`}<//>
	<//>`;
}
