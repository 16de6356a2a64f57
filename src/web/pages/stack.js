import { Empty, Page, Read, html, plural, useRead } from './parts.js';

// The layers from the top: your unrecorded changes, custom patches, skills, the core. Each has the
// files that it has lines in.
export function layersOf(status, files) {
	const gather = pick => files.map(file => ({ path: file.path, lines: pick(file.summary) ?? 0 })).filter(file => file.lines);
	const named = kind => [...new Set(files.flatMap(file => Object.keys(file.summary[kind])))];
	const pending = named('skills').filter(name => !status.skills.some(skill => skill.name === name));
	const skills = [...status.skills, ...pending.map(name => ({ name, version: 'not finished' }))];
	return [
		{ kind: 'you', name: 'You', note: 'unrecorded changes', files: gather(by => by.user) },
		...named('patches').reverse().map(name => ({ kind: 'patch', name, note: 'custom patch', files: gather(by => by.patches[name]) })),
		...skills.reverse().map(skill => ({ kind: 'skill', name: skill.name, note: skill.version, files: gather(by => by.skills[skill.name]) })),
		{ kind: 'core', name: 'Core', note: status.coreVersion, files: gather(by => by.core) },
	];
}

export default function Stack() {
	const status = useRead('status');
	const lines = useRead('stack');
	return html`<${Page} title="Layers" command="stack" lead="Your source is the core, with skills, custom patches and your own changes on top.">
		<${Read} of=${status}>${state => state.initialized ? html`<${Read} of=${lines}>${data => html`
			<ol class="stack">${layersOf(state, data.files).map((layer, i) => html`
				<li class=${`layer ${layer.kind} tone${i % 6}`}>
					<p class="name"><strong>${layer.kind === 'skill' ? html`<a href=${`#/skills/${layer.name}`}>${layer.name}</a>` : layer.name}</strong> <small>${layer.note}</small></p>
					<div class="files">${layer.files.map(file => html`<a href=${`#/lines/${encodeURIComponent(file.path)}`}
						style=${{ flexGrow: Math.min(file.lines, 60) }} title=${`${file.path}: ${plural(file.lines, 'line')}`}>
						<span>${file.path}</span> <small>${file.lines}</small></a>`)}
						${!layer.files.length && html`<span class="quiet">no lines</span>`}</div>
				</li>`)}</ol>
			<p class="quiet">The width of a file is its lines in the layer. Only files that a skill, a patch or you changed are shown.</p>`}<//>`
			: html`<${Empty}>No skill has been applied yet.<//>`}<//>
	<//>`;
}
