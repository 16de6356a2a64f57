import { Dot, Empty, Page, Problem, Read, Section, Table, html, plural, unseen, useRead } from './parts.js';

export default function UserSkills() {
	const skills = useRead('user-skills');
	const check = useRead('user-skill-check');
	const results = check.data?.results ?? (check.data?.file ? [check.data] : []);
	const wrong = check.error ?? (check.data && !results.length ? check.data : null);
	const faulty = results.filter(result => result.faults.length);
	return html`<${Page} title="User skills" command="user-skills" lead="What the assistant can do for a person, written as a page each.">
		<${Section} title="In use">
			<${Read} of=${skills}>${data => html`<${Table} label="User skills" rows=${data.skills} empty="None yet: nanoclaw user-skill sync loads the library." columns=${[
				['Skill', skill => html`<strong>${skill.name ?? skill.id}</strong>`],
				['Commands', skill => skill.commands.map((command, i) => html`${i ? ', ' : ''}<code>/${command.name}</code>`)],
				['Category', skill => skill.category],
				['Status', skill => skill.status],
				[unseen('Description'), skill => skill.commands.map(command => command.help).filter(Boolean).join('; '), 'grow'],
			]} />`}<//>
		<//>
		<${Section} title="Faults" aside=${results.length ? `${plural(results.length, 'file')} checked` : undefined}>
			${wrong && !skills.data?.skills?.length ? html`<${Empty}>${wrong.message ?? wrong.error}<//>`
				: wrong ? html`<${Problem} error=${wrong} />`
				: !faulty.length ? html`<p class="calm"><${Dot} state="good" /> No fault.</p>`
				: faulty.map(result => html`<article><h3><code>${result.file}</code></h3>
					<ol class="faults">${result.faults.map(fault => html`<li>
						<span class="number">${fault.line}</span> <${Dot} state=${fault.severity === 'error' ? 'bad' : 'warn'} />
						<span>${fault.text}${fault.hint && html`<br /><small class="quiet">${fault.hint}</small>`}</span></li>`)}</ol></article>`)}
		<//>
	<//>`;
}
