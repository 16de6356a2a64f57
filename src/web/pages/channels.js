import { Dot, Page, Read, Table, Time, html, unseen, useRead } from './parts.js';

export default function Channels() {
	const channels = useRead('channels');
	return html`<${Page} title="Channels" command="channels" lead="Where people reach the assistant.">
		<${Read} of=${channels}>${data => html`
			${data.running === false && html`<p class="note warn">The assistant is not running: no channel is connected.</p>`}
			<${Table} label="Channels" rows=${data.channels} empty="No channel is set up." columns=${[
				['Channel', channel => html`<${Dot} state=${channel.state === 'connected' ? 'good' : 'bad'} /> <strong>${channel.name}</strong>`],
				['Kind', channel => channel.kind],
				['State', channel => channel.state],
				['Last event', channel => html`<${Time} at=${channel.lastEvent} />`],
				[unseen('Detail'), channel => channel.pair
					? html`Somebody wrote and got no answer. If it was you: <code>${channel.pair}</code>`
					: channel.detail ?? '', 'grow'],
			]} />`}<//>
	<//>`;
}
