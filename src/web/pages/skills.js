import { act } from './api.js';
import { Action, Page, Problem, Read, Section, Table, failureOf, html, unseen, useRead } from './parts.js';

const OUTCOMES = { conflict: 'bad', merged: '', added: '', deleted: 'warn', same: 'quiet' };

// What an operation would do to the files: the JSON of a dry run.
export function Effect({ result }) {
	return html`
		<ul class="plain">${(result.files ?? []).map(file => html`<li><span class=${`tag ${OUTCOMES[file.outcome ?? file.effect] ?? ''}`}>${file.outcome ?? file.effect}</span> <code>${file.path}</code></li>`)}</ul>
		${result.mergeConflicts?.length ? html`<p class="note warn">It will pause: you resolve ${result.mergeConflicts.join(', ')} and continue, or abort.</p>` : ''}
		${result.wouldRecord ? html`<p class="note">Your changes in ${result.untrackedChanges.join(', ')} are recorded first, as the patch ${result.wouldRecord}.</p>` : ''}
		${result.commands?.length ? html`<p>Then these commands run:</p><ul class="plain">${result.commands.map(command => html`<li><code>${command.command}</code> <small class="quiet">${command.kind} of ${command.skill}</small></li>`)}</ul>` : ''}
		${(result.warnings ?? []).map(text => html`<p class="note warn">${text}</p>`)}`;
}

export const dryRun = (name, params) => async () => {
	const done = await act(name, params);
	const failed = failureOf(done);
	if (failed && !done.result?.files) throw failed;
	return html`<${Effect} result=${done.result} />`;
};

export const afterwards = done => { if (done.exit === 3) location.hash = '/conflicts'; };

export default function Skills({ path: [name] }) {
	const skills = useRead('skills');
	if (name) return html`<${Skill} name=${name} />`;
	const buttons = skill => skill.applied
		? html`${skill.version !== skill.appliedVersion && html`<${Action} name="skill-update" params=${{ skill: skill.name }} label="Update" aria-label=${`Update ${skill.name}`}
				preview=${dryRun('skill-update-preview', { skill: skill.name })} onDone=${afterwards} />`}
			<${Action} name="skill-remove" params=${{ skill: skill.name }} label="Remove" kind="danger" aria-label=${`Remove ${skill.name}`}
				preview=${dryRun('skill-remove-preview', { skill: skill.name })} onDone=${afterwards} />`
		: html`<${Action} name="skill-apply" params=${{ skill: skill.name }} label="Apply" aria-label=${`Apply ${skill.name}`}
				preview=${dryRun('skill-apply-preview', { skill: skill.name })} onDone=${afterwards} />`;
	return html`<${Page} title="Skills" command="skills" lead="Packages that change the source.">
		<${Read} of=${skills}>${data => html`
			<${Table} label="Skills" rows=${data.skills} empty="This project has no packages." columns=${[
				['Skill', skill => html`<a href=${`#/skills/${skill.name}`}>${skill.name}</a>`],
				['Version', skill => skill.appliedVersion && skill.appliedVersion !== skill.version ? `${skill.appliedVersion} → ${skill.version}` : skill.version],
				[unseen('State'), skill => skill.applied ? html`<span class="tag good">applied</span>` : ''],
				['What it does', skill => skill.description, 'grow'],
				[unseen('Actions'), skill => html`<span class="buttons">${buttons(skill)}</span>`],
			]} />
			${data.broken.map(one => html`<${Problem} error=${{ message: one.error ?? String(one) }} />`)}
			<${Section} title="Files that several change">
				<${Table} label="Overlaps" rows=${Object.entries(data.overlaps)} empty="None." columns=${[
					['File', ([path]) => html`<code>${path}</code>`], ['Skills', ([, names]) => names.join(', '), 'grow']]} />
			<//>`}<//>
	<//>`;
}

function Skill({ name }) {
	const skill = useRead('skill', { skill: name });
	return html`<${Page} title=${name} command="skill" params=${{ skill: name }} tools=${html`<a class="button" href="#/skills">All skills</a>`}>
		<${Read} of=${skill}>${data => html`<p class="lead">${data.description}</p>
			<dl class="facts">
				<dt>Version</dt><dd>${data.version}${data.applied ? `, applied ${data.appliedVersion}` : ', not applied'}</dd>
				<dt>For core</dt><dd>${data.coreVersion}</dd>
				<dt>Depends on</dt><dd>${data.depends.join(', ') || '–'}</dd>
				<dt>Test</dt><dd>${data.test ? html`<code>${data.test}</code>` : '–'}</dd>
				<dt>Folder</dt><dd><code>${data.folder}</code></dd>
			</dl>
			<${Section} title="Files">
				<${Table} label="Files" rows=${[...data.adds.map(path => [path, 'adds']), ...data.modifies.map(path => [path, 'modifies'])]} columns=${[
					['File', ([path]) => html`<code>${path}</code>`], [unseen('How'), ([, how]) => how], ['Intent', ([path]) => data.intents[path] ?? '', 'grow']]} />
			<//>`}<//>
	<//>`;
}
