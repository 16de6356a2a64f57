import { Action, Dot, Empty, Page, Read, Section, Time, dayOf, html, money, plural, sameDay, useRead } from './parts.js';

// Everything that a person should look at, worst first: [state, text, address].
function attention(status, findings) {
	const host = status.host;
	const found = findings.filter(finding => finding.status !== 'ok' && finding.name !== 'pending')
		.map(finding => [finding.status === 'problem' ? 'bad' : 'warn', `${finding.name}: ${finding.message}`, 'doctor']);
	if (!host?.running || host.silent) found.push(['bad', host?.silent ?? 'The assistant is not running', 'doctor']);
	if (host?.deadLetters) found.push(['bad', `${plural(host.deadLetters, 'answer')} could not be delivered`, 'channels']);
	for (const channel of host?.channels ?? [])
		if (channel.state !== 'connected') found.push(['bad', `Channel ${channel.name} is ${channel.state}`, 'channels']);
	if (status.pending)
		found.push(['warn', status.pending.conflicts.length
			? `${status.pending.operation} waits for you: ${plural(status.pending.conflicts.length, 'conflict')}`
			: `${status.pending.operation} is not finished`, 'conflicts']);
	if (status.drift?.length) found.push(['warn', `${plural(status.drift.length, 'file')} with unrecorded changes`, 'lines']);
	return found.sort(([a], [b]) => a.localeCompare(b));
}

const working = turn => !['delivered', 'done', 'failed', 'stopped', 'dead', 'answered'].includes(turn.state);

export default function Today() {
	const status = useRead('status');
	const doctor = useRead('doctor');
	const turns = useRead('turns');
	const tasks = useRead('tasks');
	const usage = useRead('usage', { by: 'day', days: 7 });
	const now = new Date();
	return html`<${Page} title=${now.toLocaleDateString(undefined, { weekday: 'long', day: 'numeric', month: 'long' })} command="status">
		<${Read} of=${status}>${state => {
			const found = attention(state, doctor.data?.findings ?? []);
			return html`
			<${Section} title="Needs attention">
				${found.length ? html`<ul class="rows">${found.map(([kind, text, to]) => html`
					<li><${Dot} state=${kind} /> <a href=${`#/${to}`}>${text}</a></li>`)}</ul>`
					: html`<p class="calm"><${Dot} state="good" /> Nothing. The assistant has been up since <${Time} at=${state.host.since} />.</p>`}
			<//>
			<div class="figures">
				<${Figure} of=${usage} title="Spent today" href="#/usage">${data => {
					const today = data.rows.find(row => sameDay(`${row.day ?? row.name}T12:00`, now));
					return [money(today?.costMicroUsd ?? 0), `${money(data.total.costMicroUsd)} in seven days`];
				}}<//>
				<${Figure} of=${status} title="Agents" href="#/audit">${({ host }) => host?.agents
					? [`${host.agents.working} at work`, `${host.agents.alive} awake, at most ${host.agents.limit}`] : [host?.running ? '–' : 'off', '']}<//>
				<${Figure} of=${status} title="Messages" href="#/chat">${({ host }) => host
					? [host.messages, host.waiting ? `${host.waiting} waiting` : 'none waiting'] : ['–', '']}<//>
				<${Figure} of=${status} title="Channels" href="#/channels">${({ host }) => host?.channels
					? [host.channels.filter(channel => channel.state === 'connected').length, `of ${host.channels.length} connected`] : ['–', '']}<//>
			</div>`;
		}}<//>
		<div class="columns">
			<${Section} title="At work">
				<${Read} of=${turns}>${data => {
					const now_ = data.turns.filter(working);
					return now_.length ? html`<ul class="rows">${now_.map(turn => html`<li>
						<${Dot} state="busy" /><a href=${`#/chat/${turn.group}/${turn.turn}`}>${turn.group}</a>
						<span class="grow quiet">${turn.text}</span>
						<${Action} name="turn-stop" params=${{ turn: turn.turn }} label="Stop" kind="danger" /></li>`)}</ul>`
						: html`<${Empty}>No agent is working.<//>`;
				}}<//>
			<//>
			<${Section} title="Next tasks">
				<${Read} of=${tasks}>${data => {
					const next = data.tasks.filter(task => task.nextRun).sort((a, b) => a.nextRun.localeCompare(b.nextRun)).slice(0, 6);
					return next.length ? html`<ul class="rows">${next.map(task => html`<li>
						<span class="when">${dayOf(task.nextRun)} <${Time} at=${task.nextRun} day=${false} /></span>
						<a class="grow" href=${`#/tasks/${task.id}`}>${task.prompt}</a>
						<span class="quiet">${task.group}</span></li>`)}</ul>`
						: html`<${Empty}>Nothing is scheduled.<//>`;
				}}<//>
			<//>
		</div>
		<${Section} title="Latest turns">
			<${Read} of=${turns}>${data => data.turns.length ? html`<ul class="rows">${data.turns.slice(0, 8).map(turn => html`<li>
				<span class="when"><${Time} at=${turn.time} /></span>
				<span class="tag">${turn.group}</span>
				<a class="grow" href=${`#/chat/${turn.group}/${turn.turn}`}>${turn.text || turn.turn}</a>
				<span class="quiet">${turn.state}</span></li>`)}</ul>` : html`<${Empty}>No message has come in yet.<//>`}<//>
		<//>
	<//>`;
}

function Figure({ of, title, href, children }) {
	const [value, below] = of.data?.success ? children(of.data) : ['–', of.error ? 'unknown' : ''];
	return html`<a class="figure" href=${href}><span>${title}</span><strong>${value}</strong><small>${below}</small></a>`;
}
