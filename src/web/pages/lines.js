import { Empty, Page, Patch, Read, Section, html, useRead } from './parts.js';

const who = line => line.by === 'user' || line.by === 'you' ? 'you' : line.name ?? line.by;

// Who wrote which line: neighbours by the same author are one block.
function blocks(lines) {
	const out = [];
	for (const line of lines)
		if (out.at(-1)?.who === who(line)) out.at(-1).lines.push(line);
		else out.push({ who: who(line), by: line.by, lines: [line] });
	return out;
}

export default function Lines({ path: [path] }) {
	const stack = useRead('stack');
	const file = useRead(path && 'diff-by', { path });
	const changes = useRead('diff');
	return html`<${Page} title="Who wrote which line" command=${path ? 'diff-by' : 'stack'} params=${{ path }} wide>
		<${Read} of=${stack}>${data => html`<div class="tabs" role="navigation" aria-label="Files">${data.files.map(one => html`
			<a href=${`#/lines/${encodeURIComponent(one.path)}`} aria-current=${one.path === path ? 'true' : undefined}>${one.path}</a>`)}</div>`}<//>
		${path && html`<${Read} of=${file}>${data => data.files.map(one => {
			const names = [...new Set((one.lines ?? []).map(who))];
			return html`<div class="blame" tabIndex="0" role="region" aria-label=${one.path}>${blocks(one.lines ?? []).map(block => html`
				<div class=${`block ${block.by} tone${names.indexOf(block.who) % 6}`}><span class="who">${block.who}</span>
					<pre>${block.lines.map(line => html`<span class="no">${line.line}</span>${line.text}${'\n'}`)}</pre></div>`)}</div>`;
		})}<//>`}
		<${Section} title="Your unrecorded changes">
			<${Read} of=${changes}>${data => data.files.length ? data.files.map(one => html`<details open=${data.files.length === 1}>
				<summary><code>${one.path}</code> <small>+${one.added} −${one.removed}${one.conflict ? ', in conflict' : ''}</small></summary>
				<${Patch} text=${one.patch} /></details>`) : html`<${Empty}>None: every line is recorded.<//>`}<//>
		<//>
	<//>`;
}
