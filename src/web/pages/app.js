// The frame of the dashboard: session, addresses, navigation, keys. A page is a module of its own,
// which is loaded when it is first shown.
import { html, render, useEffect, useErrorBoundary, useState } from './vendor/preact.js';
import { Failure, isToken, loadCommands, signIn } from './api.js';
import { listen, startEvents } from './events.js';
import { Dialog, Page, Problem, StatusLine, forgetReads, keyList, say, useRead } from './parts.js';

// [address, title, key after 'g', the words of its group]
const PAGES = [
	['', 'Today', 't', 'Assistant'],
	['chat', 'Chat', 'c'],
	['groups', 'Groups', 'g'],
	['memory', 'Memory', 'm'],
	['tasks', 'Tasks', 'k'],
	['usage', 'Usage', 'u'],
	['channels', 'Channels', 'n'],
	['audit', 'Audit', 'a'],
	['user-skills', 'User skills', 's'],
	['stack', 'Layers', 'l', 'Source'],
	['lines', 'Lines', 'w'],
	['skills', 'Skills', 'p'],
	['conflicts', 'Conflicts', 'x'],
	['history', 'History', 'h'],
	['update', 'Update', 'v'],
	['matrix', 'Test matrix', 'y'],
	['doctor', 'Doctor', 'd', 'Health'],
];

const address = () => location.hash.replace(/^#\/?/, '').split('/').map(decodeURIComponent);

function useAddress() {
	const [parts, setParts] = useState(address);
	useEffect(() => {
		const changed = () => {
			if (location.hash.startsWith('#code=')) location.reload(); // a link that was pasted here
			setParts(before => {
				const now = address();
				// A third part is a detail of what is shown already.
				if (`${before.slice(0, 2)}` !== `${now.slice(0, 2)}`) scrollTo(0, 0);
				return now;
			});
		};
		addEventListener('hashchange', changed);
		return () => removeEventListener('hashchange', changed);
	}, []);
	return parts;
}

function usePage(name) {
	const [loaded, setLoaded] = useState({});
	useEffect(() => {
		let wanted = true;
		const known = PAGES.some(([path]) => path === name);
		import(`./${known && name || 'today'}.js`).then(module => {
			if (!wanted) return;
			setLoaded({ name, View: module.default });
			requestAnimationFrame(() => document.querySelector('h1')?.focus({ preventScroll: true }));
		}, error => setLoaded({ name, error }));
		return () => { wanted = false; };
	}, [name]);
	return loaded.name === name ? loaded : {};
}

// A page that throws leaves the others usable, and reads anew what it could not show.
function Shown({ children }) {
	const [error, again] = useErrorBoundary(thrown => {
		forgetReads();
		console.error(thrown);
	});
	return error ? html`<${Page} title="This page cannot be shown"
		tools=${html`<button type="button" onClick=${again}>Try again</button>`}><${Problem} error=${error} /><//>` : children;
}

// Letters do something unless the person is typing.
function useShortcuts(setHelp) {
	useEffect(() => {
		let before = '';
		addEventListener('keydown', event => {
			const typing = event.target.closest('input, textarea, select');
			if (event.ctrlKey || event.metaKey || event.altKey || (typing && event.key !== 'Escape')) return;
			if (event.key === 'Escape' && typing) { typing.blur(); return; }
			if (document.querySelector('dialog[open]')) return;
			const page = before === 'g' && PAGES.find(([, , key]) => key === event.key);
			before = page ? '' : event.key;
			const own = keyList().findLast(entry => entry.key === event.key);
			if (page) location.hash = `/${page[0]}`;
			else if (event.key === '?') setHelp(true);
			else if (event.key === '/') document.querySelector('main input, main textarea')?.focus();
			else if (own) own.run();
			else return;
			event.preventDefault();
		});
	}, []);
}

const Keys = ({ onClose }) => html`<${Dialog} title="Keys" onClose=${onClose}>
	<dl class="keys">
		${keyList().map(({ key, help }) => html`<dt><kbd>${key}</kbd></dt><dd>${help}</dd>`)}
		<dt><kbd>/</kbd></dt><dd>type into the first field</dd>
		<dt><kbd>Esc</kbd></dt><dd>leave a field or a dialog</dd>
		${PAGES.map(([, title, key]) => html`<dt><kbd>g</kbd> <kbd>${key}</kbd></dt><dd>${title}</dd>`)}
	</dl>
	<form method="dialog"><button>Close</button></form>
<//>`;

function Navigation({ here, online }) {
	const [open, setOpen] = useState(false);
	const status = useRead('status');
	const pending = status.data?.pending?.conflicts?.length;
	useEffect(() => setOpen(false), [here]);
	return html`<nav class=${open ? 'open' : ''} aria-label="Pages">
		<p class="brand"><a href="#/">NanoClaw</a>
			<button type="button" class="menu" aria-expanded=${open} onClick=${() => setOpen(!open)}>Menu</button></p>
		<ul>${PAGES.map(([path, title, , group]) => html`
			${group && html`<li class="group">${group}</li>`}
			<li><a href=${`#/${path}`} aria-current=${here === path ? 'page' : undefined}>${title}
				${path === 'conflicts' && pending ? html` <span class="badge">${pending}</span>` : ''}</a></li>`)}</ul>
		<p class="quiet small">${online ? html`<kbd>?</kbd> keys` : 'nanoclaw web does not answer'}</p>
	</nav>`;
}

function App() {
	const [session, setSession] = useState('opening');
	const [failed, setFailed] = useState(null);
	const [help, setHelp] = useState(false);
	const [online, setOnline] = useState(true);
	const [here, ...rest] = useAddress();
	const page = usePage(here);
	useShortcuts(setHelp);
	useEffect(() => {
		addEventListener('signed-out', () => setSession('none'));
		addEventListener('storage', event => { if (isToken(event)) location.reload(); }); // another tab signed in
		addEventListener('unhandledrejection', event => { // of a read that a button began
			if (!(event.reason instanceof Failure)) return;
			say(`✗ ${event.reason.message}`, 'bad');
			event.preventDefault();
		});
		listen(event => {
			if (event.type === 'online') setOnline(true);
			if (event.type === 'offline') setOnline(false);
		});
		(async () => {
			try {
				if (!await signIn()) return setSession('none');
				await loadCommands();
				startEvents();
				return setSession('open');
			} catch (error) {
				setFailed(error);
				return setSession('none');
			}
		})();
	}, []);
	if (session === 'opening') return null;
	if (session === 'none') return html`<main class="welcome" id="content">
		<h1>NanoClaw</h1>
		${failed && html`<${Problem} error=${failed} />`}
		<p>This browser has no session. A link to sign in works once, for a minute:</p>
		<p><code class="command">$ nanoclaw web</code></p>
	</main>`;
	return html`<${Navigation} here=${here} online=${online} />
		<main id="content">${page.error ? html`<${Problem} error=${page.error} />`
			: page.View && html`<${Shown} key=${here}><${page.View} path=${rest} /><//>`}</main>
		<${StatusLine} />
		${help && html`<${Keys} onClose=${() => setHelp(false)} />`}`;
}

render(html`<${App} />`, document.body);
