import { Dot, Empty, Page, Read, Section, Table, Time, count, html, money, useRead, useState } from './parts.js';

const W = 720;
const DATE = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' });
const H = 160;

// A bar for each day, zero included, so that a gap in the days looks like one.
function days(from, to, rows) {
	const out = [];
	for (const day = new Date(`${from}T12:00Z`); day <= new Date(`${to}T12:00Z`); day.setUTCDate(day.getUTCDate() + 1)) {
		const name = day.toISOString().slice(0, 10);
		out.push({ name, ...(rows.find(row => row.day === name) ?? { costMicroUsd: 0, inputTokens: 0, outputTokens: 0 }) });
	}
	return out;
}

function Plot({ data, value, format, title }) {
	const bars = days(data.from, data.to, data.rows);
	if (!bars.some(value)) return null;
	const top = Math.max(1, ...bars.map(value));
	const step = W / bars.length;
	const every = Math.ceil(bars.length / 8);
	return html`<figure><figcaption>${title} <small class="quiet">at most ${format(top)} a day</small></figcaption>
		<svg class="plot" viewBox=${`0 0 ${W} ${H + 22}`} role="img" aria-label=${`${title}: ${bars.map(bar => `${bar.name} ${format(value(bar))}`).join(', ')}`}>
			<line class="axis" x1="0" x2=${W} y1=${H} y2=${H} />
			${bars.map((bar, i) => html`<g><title>${`${bar.name}: ${format(value(bar))}`}</title>
				<rect class="hit" x=${i * step} width=${step} height=${H} />
				<rect class="value" x=${i * step + step * 0.15} width=${step * 0.7} rx="2"
					y=${H - value(bar) / top * (H - 6)} height=${value(bar) / top * (H - 6)} />
				${i % every === every >> 1 && html`<text x=${i * step + step / 2} y=${H + 16}>${DATE.format(new Date(bar.name))}</text>`}</g>`)}
		</svg></figure>`;
}

const amount = (line, value) => line.unit === 'tokens' ? count(value) : money(value);

export default function Usage() {
	const [span, setSpan] = useState(30);
	const byDay = useRead('usage', { by: 'day', days: span });
	const byGroup = useRead('usage', { by: 'group', days: span });
	const byModel = useRead('usage', { by: 'model', days: span });
	const columns = [
		['Requests', row => count(row.requests), 'number'],
		['Tokens in', row => count(row.inputTokens), 'number'],
		['Out', row => count(row.outputTokens), 'number'],
		['Cached', row => count(row.cacheReadTokens), 'number'],
		['Cost', row => row.costMicroUsd === null ? 'unknown' : `${row.estimatedRequests ? '~' : ''}${money(row.costMicroUsd)}`, 'number'],
	];
	return html`<${Page} title="Usage" command="usage" params=${{ by: 'day', days: span }}
			tools=${html`<label>Days <select value=${span} onChange=${event => setSpan(Number(event.target.value))}>
				${[7, 30, 90].map(n => html`<option value=${n}>${n}</option>`)}</select></label>`}>
		<${Read} of=${byDay}>${data => html`
			<${Section} title="Budgets">${data.budgets.length ? html`<ul class="rows">${data.budgets.map(line => html`<li>
				<${Dot} state=${{ ok: 'good', low: 'warn' }[line.state] ?? 'bad'} />
				<span class="when">${line.group ?? 'all groups'}</span> <span>${line.limit}</span>
				<meter class="grow" min="0" max="100" high="80" value=${line.percent} aria-label=${`${line.limit} of ${line.group ?? 'all groups'}`}>${line.percent} %</meter>
				<span class="number">${amount(line, line.used)} of ${amount(line, line.amount)}</span>
				<span class="quiet">until <${Time} at=${line.until} /></span></li>`)}</ul>`
				: html`<${Empty}>No limit is set. <code>nanoclaw group config GROUP budget.dailyDollars 5</code> sets one.<//>`}<//>
			<${Section} title="Day by day" aside=${`${money(data.total.costMicroUsd ?? 0)} in ${span} days`}>
				<${Plot} title="Cost" data=${data} value=${row => row.costMicroUsd ?? 0} format=${money} />
				<${Plot} title="Tokens" data=${data} value=${row => row.inputTokens + row.outputTokens} format=${count} />
			<//>`}<//>
		<${Section} title="Groups"><${Read} of=${byGroup}>${data => html`<${Table} label="By group" empty="No model was used."
			rows=${data.rows} columns=${[['Group', row => html`<a href=${`#/groups/${row.group}`}>${row.group}</a>`, 'grow'], ...columns]} />`}<//><//>
		<${Section} title="Models"><${Read} of=${byModel}>${data => html`<${Table} label="By model" empty="No model was used."
			rows=${data.rows} columns=${[['Model', row => row.model, 'grow'], ...columns]} />`}<//><//>
	<//>`;
}
