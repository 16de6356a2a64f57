import { Action, Dot, Page, Problem, Read, Section, html, useRead } from './parts.js';

const ORDER = ['problem', 'warning', 'ok'];
const STATE = { problem: 'bad', warning: 'warn', ok: 'good' };

export default function Doctor() {
	const doctor = useRead('doctor');
	const verify = useRead('verify');
	if (doctor.error || !doctor.data) return html`<${Page} title="Doctor" command="doctor"><${Read} of=${doctor} /><//>`;
	const findings = [...(doctor.data.findings ?? [])].sort((a, b) => ORDER.indexOf(a.status) - ORDER.indexOf(b.status));
	const wrong = findings.filter(finding => finding.status !== 'ok');
	return html`<${Page} title="Doctor" command="doctor" lead=${wrong.length ? `${wrong.length} of ${findings.length} checks found something.` : `All ${findings.length} checks passed.`}
			tools=${html`<${Action} name="doctor-fix" label="Fix" kind="main" onDone=${doctor.reload}
				preview=${() => html`<p>The doctor repairs what it can without losing anything:</p>
					<ul class="plain">${wrong.map(finding => html`<li><${Dot} state=${STATE[finding.status]} /> ${finding.message}</li>`)}</ul>`} />`}>
		<ul class="rows">${findings.map(finding => html`<li>
			<${Dot} state=${STATE[finding.status]} /><span class="when">${finding.name}</span>
			<span class="grow">${finding.message}<span class="hidden"> (${finding.status})</span></span>
			${finding.fix && html`<code class="command">$ ${finding.fix}</code>`}</li>`)}</ul>
		<${Section} title="Files against the records">
			${verify.data?.success ? html`<p class="calm"><${Dot} state="good" /> ${verify.data.checked} files are as recorded.</p>`
				: verify.data?.differences ? html`<ul class="rows">${verify.data.differences.map(one => html`<li><${Dot} state="warn" /><code>${one.path ?? one}</code> <span class="quiet">${one.change ?? ''}</span></li>`)}</ul>`
				: verify.data || verify.error ? html`<${Problem} error=${verify.error ?? verify.data} />` : ''}
		<//>
	<//>`;
}
