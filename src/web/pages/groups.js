import { commandLine } from './api.js';
import { Action, Command, Empty, Page, Read, Section, Table, Time, html, useDraft, useRead } from './parts.js';
import { markdown } from './markdown.js';

const SETTINGS = [
	['agent', 'which program answers: offline, claude, native'],
	['model.name', 'the model of this group'],
	['budget.dailyDollars', 'at most this much a day'],
	['limits.seconds', 'at most this long for a turn'],
	['network.hosts', 'hosts that the agent may reach, as JSON'],
	['skills', 'user skills of this group, as JSON'],
	['sandbox', 'the kind of sandbox: bwrap, podman, docker, landlock'],
	['mounts', 'further folders, as JSON'],
];

const lookUp = (config, setting) => setting.split('.').reduce((value, key) => value?.[key], config);
const shown = value => value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);

export default function Groups({ path: [folder] }) {
	const groups = useRead('groups');
	if (folder) return html`<${Group} folder=${folder} />`;
	return html`<${Page} title="Groups" command="groups" lead="A group is a chat with a folder, a memory and an agent of its own.">
		<${Read} of=${groups}>${data => html`<${Table} label="Groups" rows=${data.groups} columns=${[
			['Name', group => html`<a href=${`#/groups/${encodeURIComponent(group.folder)}`}>${group.name}</a>${group.isMain ? html` <span class="tag">main</span>` : ''}`],
			['Chat', group => html`<code>${group.jid}</code>`],
			['Trigger', group => group.requiresTrigger ? group.trigger : 'every message'],
			['Agent', group => group.agent ?? 'default'],
			['Since', group => html`<${Time} at=${group.addedAt} />`],
		]} />
		${data.bin?.map(group => html`<p>'${group.folder}' was removed <${Time} at=${group.removedAt} />. To take it back: <code>nanoclaw group add ${group.folder} ${group.folder}</code></p>`)}`}<//>
	<//>`;
}

function Group({ folder }) {
	const group = useRead('group', { group: folder });
	return html`<${Page} title=${group.data?.name ?? folder} command="group" params=${{ group: folder }}
			tools=${html`<a class="button" href=${`#/chat/${folder}`}>Chat</a> <a class="button" href=${`#/memory/${folder}`}>Memory</a>`}>
		<${Read} of=${group}>${data => html`
			<dl class="facts">
				<dt>Chat</dt><dd><code>${data.jid}</code></dd>
				<dt>Answers</dt><dd>${data.requiresTrigger ? `messages that begin with ${data.trigger}` : 'every message'}</dd>
				<dt>Senders</dt><dd>${data.allowedSenders.length ? data.allowedSenders.join(', ') : 'everybody'}</dd>
				<dt>Agent</dt><dd>${data.agent ?? 'default'}</dd>
			</dl>
			<${Settings} key=${folder} folder=${folder} config=${data.config} onDone=${group.reload} />
			<${Section} title="What its agent reads" aside=${data.composed.cut ? 'cut' : undefined}>
				<details><summary>Instructions and memory, as composed</summary><div class="document">${markdown(data.composed.text)}</div></details>
			<//>`}<//>
	<//>`;
}

// The difference is shown before anything is saved: the setting as it is, and as it will be.
function Settings({ folder, config, onDone }) {
	const [draft, setDraft] = useDraft(`settings ${folder}`);
	const { setting, value } = draft ?? { setting: SETTINGS[0][0], value: null };
	const setValue = next => setDraft({ setting, value: next });
	const now = shown(lookUp(config, setting));
	const next = value ?? now;
	const params = next === '' ? { group: folder, setting } : { group: folder, setting, value: next };
	return html`<${Section} title="Settings">
		${Object.keys(config).length ? html`<pre class="code" tabIndex="0">${JSON.stringify(config, null, 2)}</pre>`
			: html`<${Empty}>Everything is at its default.<//>`}
		<form class="fields" onSubmit=${event => event.preventDefault()}>
			<label>Setting <select value=${setting} onChange=${event => setDraft({ setting: event.target.value, value: null })}>
				${SETTINGS.map(([name]) => html`<option value=${name}>${name}</option>`)}</select></label>
			<label class="grow">Value <input value=${next} placeholder="default" onInput=${event => setValue(event.target.value)} />
				<small>${SETTINGS.find(([name]) => name === setting)[1]}</small></label>
		</form>
		${next !== now && html`<div class="note">
			<pre class="patch"><span class="del">- ${setting}: ${now || '(default)'}${'\n'}</span><span class="add">+ ${setting}: ${next || '(default)'}</span></pre>
			<p><${Command} line=${commandLine(next === '' ? 'group-unset' : 'group-set', params)} /></p>
			<p class="buttons"><${Action} name=${next === '' ? 'group-unset' : 'group-set'} params=${params} label="Save" kind="main"
				onDone=${done => { if (!done.exit) setValue(null); onDone(); }} />
				<button type="button" onClick=${() => setValue(null)}>Discard</button></p></div>`}
	<//>`;
}
