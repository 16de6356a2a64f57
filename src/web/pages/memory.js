import { commandLine } from './api.js';
import { Action, Command, Page, Problem, Read, html, run, useDraft, useEffect, useRead, useState } from './parts.js';

// A group's own memory, which its agent changes too: saving names the hash of the text that was
// loaded, and is refused if the file has changed since.
export default function Memory({ path: [group] }) {
	const groups = useRead('groups');
	const here = group ?? groups.data?.groups?.find(one => one.isMain)?.folder;
	return html`<${Page} title="Memory" command="memory" params=${{ group: here }}
			lead="What a group's agent knows from one conversation to the next.">
		<${Read} of=${groups}>${data => html`<div class="tabs" role="navigation" aria-label="Groups">${data.groups.map(one => html`
			<a href=${`#/memory/${encodeURIComponent(one.folder)}`} aria-current=${one.folder === here ? 'true' : undefined}>${one.name}</a>`)}</div>`}<//>
		${here && html`<${Editor} group=${here} key=${here} />`}
	<//>`;
}

function Editor({ group }) {
	const memory = useRead('memory', { group });
	const [mine, setMine] = useDraft(`memory ${group}`); // {text, hash} that the person works on
	const [failed, setFailed] = useState(null);
	const changed = mine && memory.data && memory.data.sha256 !== mine.hash;
	const edit = text => setMine({ text, hash: mine?.hash ?? memory.data.sha256 });
	const params = { group, hash: mine?.hash, text: mine?.text };
	const save = async () => {
		const done = await run('memory-save', params);
		setFailed(done?.exit ? done.result : null);
		if (done && !done.exit) setMine(null);
		memory.reload();
	};
	useEffect(() => {
		const warn = event => { if (mine && mine.text !== memory.data?.text) event.preventDefault(); };
		addEventListener('beforeunload', warn);
		return () => removeEventListener('beforeunload', warn);
	}, [mine, memory.data]);
	return html`<${Read} of=${memory}>${data => html`
		${failed && html`<${Problem} error=${failed} />`}
		${changed && html`<div class="note warn" role="alert"><p>The agent or somebody else has changed the memory since you began. Your text is not saved.</p>
			<details><summary>The memory now</summary><pre class="code" tabIndex="0">${data.text}</pre></details>
			<p class="buttons"><button type="button" onClick=${() => setMine({ ...mine, hash: data.sha256 })}>Keep my text and save over it</button>
				<button type="button" onClick=${() => setMine(null)}>Discard my text</button></p></div>`}
		<label class="hidden" for="memory">Memory of ${group}</label>
		<textarea id="memory" class="editor" rows="22" spellcheck="true" value=${mine?.text ?? data.text} onInput=${event => edit(event.target.value)}></textarea>
		<p class="buttons"><button type="button" class="main" disabled=${!mine || mine.text === data.text || changed} onClick=${save}
				data-command=${commandLine('memory-save', params)}>Save</button>
			${mine && html`<button type="button" onClick=${() => setMine(null)}>Discard</button>`}
			<${Command} line=${commandLine('memory-save', { ...params, hash: mine?.hash?.slice(0, 8) })} /></p>`}<//>`;
}
