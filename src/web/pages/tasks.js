import { commandLine } from './api.js';
import { Action, Command, Dot, Empty, Page, Read, Section, Table, Time, html, unseen, useDraft, useRead } from './parts.js';

const DAYS = 7;

// The days of a week from today, each with the runs that begin in it. A task that repeats more
// often than once a day is shown once a day, with its schedule.
function week(tasks) {
	const first = new Date();
	first.setHours(0, 0, 0, 0);
	return Array.from({ length: DAYS }, (_, i) => {
		const day = new Date(first);
		day.setDate(day.getDate() + i);
		const end = new Date(day);
		end.setDate(end.getDate() + 1);
		const runs = tasks.flatMap(task => {
			const next = task.nextRun && new Date(task.nextRun);
			if (task.status !== 'active' || !next) return [];
			const listed = (task.upcoming ?? []).map(time => new Date(time)).filter(time => time >= day && time < end);
			if (listed.length) return [{ task, at: listed[0], more: listed.length - 1 }];
			return !task.upcoming && next >= day && next < end ? [{ task, at: next, more: 0 }] : [];
		});
		return { day, runs: runs.sort((a, b) => a.at - b.at) };
	});
}

const OUTCOMES = { answered: 'good', silent: 'good', running: 'busy', waiting: '', failed: 'bad' };

const schedule = task => `${task.scheduleType} ${task.scheduleValue}`;

export default function Tasks({ path: [id] }) {
	const tasks = useRead('tasks');
	return html`<${Page} title="Tasks" command="tasks" wide>
		<${Read} of=${tasks}>${data => html`
			<ol class="week">${week(data.tasks).map(({ day, runs }, i) => html`<li class=${i ? '' : 'today'}>
				<h2>${day.toLocaleDateString(undefined, { weekday: 'short' })} <small>${day.getDate()}</small></h2>
				${runs.map(({ task, at, more }) => html`<a class="run" href=${`#/tasks/${task.id}`}>
					<${Time} at=${at.toISOString()} day=${false} />${more ? ` +${more}` : ''} <span>${task.prompt}</span></a>`)}
			</li>`)}</ol>
			<${Section} title="All tasks" aside=${data.tasks.length}>
				<${Table} label="Tasks" rows=${data.tasks} empty="Nothing is scheduled." columns=${[
					[unseen('State'), task => html`<${Dot} state=${task.status === 'active' ? 'good' : 'warn'} /><span class="hidden">${task.status}</span>`],
					['Task', task => html`<a href=${`#/tasks/${task.id}`}>${task.prompt}</a>`, 'grow'],
					['Group', task => task.group],
					['When', task => html`<code>${schedule(task)}</code>`],
					['Next', task => html`<${Time} at=${task.nextRun} />`],
					[unseen('Actions'), task => html`<span class="buttons">${task.status === 'paused'
						? html`<${Action} name="task-resume" params=${{ id: task.id }} label="Resume" aria-label=${`Resume task ${task.id}`} />`
						: html`<${Action} name="task-pause" params=${{ id: task.id }} label="Pause" aria-label=${`Pause task ${task.id}`} />`}
						<${Action} name="task-cancel" params=${{ id: task.id }} label="Cancel" kind="danger" aria-label=${`Cancel task ${task.id}`}
							preview=${() => html`<p>Task ${task.id} of ${task.group} will never run again:</p><blockquote>${task.prompt}</blockquote>`} /></span>`],
				]} />
			<//>`}<//>
		${id && html`<${Runs} id=${id} />`}
		<${NewTask} />
	<//>`;
}

function Runs({ id }) {
	const runs = useRead('task-runs', { id });
	return html`<${Section} title=${`Runs of task ${id}`}>
		<${Read} of=${runs}>${data => html`<p>${data.task.prompt}</p>
			<${Table} label="Runs" rows=${data.runs} empty="It has not run yet." columns=${[
				['Time', run => html`<${Time} at=${run.startedAt ?? run.scheduledFor} />`],
				['Outcome', run => html`<${Dot} state=${OUTCOMES[run.outcome] ?? 'warn'} /> ${run.outcome}`],
				['Result', run => run.result ?? run.error ?? '', 'grow'],
				['Turn', run => run.turn ? html`<a href=${`#/chat/${data.task.group}/${run.turn}`}>${run.turn}</a>` : '–'],
			]} />`}<//>
	<//>`;
}

function NewTask() {
	const groups = useRead('groups');
	const [draft, setTask] = useDraft('task');
	const task = draft ?? { group: 'main', kind: 'at', when: '', prompt: '' };
	const set = name => event => setTask({ ...task, [name]: event.target.value });
	const params = { group: task.group, [task.kind]: task.when, prompt: task.prompt };
	return html`<${Section} title="New task">
		<form class="fields" onSubmit=${event => event.preventDefault()}>
			<label>Group <select value=${task.group} onChange=${set('group')}>${(groups.data?.groups ?? []).map(group => html`<option value=${group.folder}>${group.folder}</option>`)}</select></label>
			<label>How <select value=${task.kind} onChange=${set('kind')}>
				<option value="at">once, at</option><option value="every">every</option><option value="cron">cron</option></select></label>
			<label>When <input value=${task.when} onInput=${set('when')} placeholder=${{ at: 'tomorrow at 5pm', every: '2h', cron: '0 9 * * 1-5' }[task.kind]} /></label>
			<label class="grow">What the agent is told <input value=${task.prompt} onInput=${set('prompt')} /></label>
		</form>
		<p class="buttons"><${Action} name="task-add" params=${params} label="Schedule" kind="main" disabled=${!task.when || !task.prompt}
			onDone=${done => { if (!done.exit) setTask(null); }} /> <${Command} line=${commandLine('task-add', params)} /></p>
	<//>`;
}
