import { commandLine } from './api.js';
import { Action, Command, Dot, Page, Read, Section, html, plural, useRead, useState } from './parts.js';
import { Effect, afterwards } from './skills.js';

// Files by what an update would do to them, the worst first.
const IMPACT = [
	['conflict', 'bad', 'You will be asked about these'],
	['deleted', 'warn', 'The new core no longer has these'],
	['merged', 'good', 'Merged with your changes'],
	['added', 'good', 'New'],
	['same', 'quiet', 'Already as in the new core'],
];

export default function Update({ path: [source = ''] }) {
	const [typed, setTyped] = useState(source);
	const preview = useRead(source && 'update-preview', { source });
	const look = event => { event.preventDefault(); location.hash = `/update/${encodeURIComponent(typed)}`; };
	return html`<${Page} title="Update" command="update-preview" params=${{ source: source || undefined }} lead="What a new core would change, before anything changes.">
		<form class="fields" onSubmit=${look}>
			<label class="grow">New core <input value=${typed} onInput=${event => setTyped(event.target.value)} placeholder="updates/1.0.0-to-1.1.0, a folder, or a git ref" /></label>
			<button class="main" data-command=${commandLine('update-preview', { source: typed })}>Preview</button>
		</form>
		${source && html`<${Read} of=${preview}>${data => html`
			<p class="versions"><strong>${data.previousVersion}</strong> → <strong>${data.newVersion}</strong>${data.nothingToDo && ': nothing to do'}</p>
			${IMPACT.map(([outcome, kind, title]) => [title, kind, data.files.filter(file => file.outcome === outcome)])
				.filter(([, , files]) => files.length).map(([title, kind, files]) => html`<${Section} title=${title} aside=${files.length}>
					<ul class="plain">${files.map(file => html`<li><${Dot} state=${kind} /> <code>${file.path}</code> <small class="quiet">${file.by}</small></li>`)}</ul><//>`)}
			${data.migrations.length ? html`<${Section} title="Kept as you have it" aside=${plural(data.migrations.length, 'migration skill')}>
				<ul class="plain">${data.migrations.map(one => html`<li><strong>${one.skill}</strong> ${one.description}</li>`)}</ul><//>` : ''}
			${data.commands?.length || data.warnings?.length ? html`<${Section} title="Commands"><${Effect} result=${{ ...data, files: [] }} /><//>` : ''}
			${!data.nothingToDo && html`<p class="buttons"><${Action} name="update" params=${{ source }} label="Update" kind="main"
				preview=${() => html`<p>The core becomes ${data.newVersion}. ${data.mergeConflicts.length ? `It will pause on ${plural(data.mergeConflicts.length, 'conflict')}.` : 'No conflict is expected.'}</p>`} onDone=${afterwards} />
				<${Command} line=${commandLine('update', { source })} /></p>`}`}<//>`}
	<//>`;
}
