// pages.mjs NANOCLAW SOURCE [torture|record|pictures]: the pages of the dashboard in a browser.
//
// Each page's accessibility tree is compared with a file in `snapshots`; "record" writes them.
// "pictures" writes the screenshots of the README.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import path from 'node:path';
import { actions, copy } from './actions.mjs';
import { AXE, Project, claim, equal, finish, openBrowser, openContext, settled, signIn, skipWithoutBrowser, visit } from './dashboard.mjs';
import { minutes } from './minutes.mjs';

const [nanoclaw, source, mode] = process.argv.slice(2);
const torture = mode === 'torture';
const here = path.join(source, 'tests/web');

// [name of the snapshot, address]
const PAGES = [
	['today', ''], ['chat', 'chat'], ['trace', 'chat/main/t1'], ['groups', 'groups'], ['group', 'groups/family'], ['memory', 'memory/main'],
	['tasks', 'tasks'], ['task', 'tasks/1'], ['usage', 'usage'], ['channels', 'channels'], ['audit', 'audit'], ['user-skills', 'user-skills'],
	['stack', 'stack'], ['lines', 'lines/lib%2Fsettings.sh'], ['skills', 'skills'], ['skill', 'skills/shout'], ['conflicts', 'conflicts'],
	['history', 'history'], ['matrix', 'matrix'], ['doctor', 'doctor'],
];
const IDLE = [['update', 'update/updates%2F1.0.0-to-1.1.0'], ['no-conflicts', 'conflicts']];

const HOSTILE = [
	'<img src=x onerror="window.hacked=1"><script>window.hacked=2</script>',
	'[click](javascript:window.hacked=3) ![x](http://127.0.0.1:1/x.png) <a href="javascript:window.hacked=4">x</a>',
	'</textarea></pre><svg onload=window.hacked=5> {{7*7}} ${window.hacked=6} \u202e\u0007',
];

async function prepare(project) {
	project.run(['-q', 'init']);
	project.run(['-q', '--yes', 'skill', 'apply', 'shout', 'diary']);
	await project.startHost();
	project.run(['send', 'main', 'what can you do?', '--wait']);
	project.run(['send', 'main', 'remember that **Ann** likes `tea`', '--wait']);
	project.run(['task', 'add', 'main', '--every', '1d', 'water the plants']);
	project.run(['group', 'add', 'local:family', 'Family', '--folder', 'family', '--no-trigger']);
	project.run(['send', 'family', 'hello', '--wait']);
	for (let ago = 0; ago < 20; ago++)
		for (const [group, model, cost] of [['main', 'large', 90000], ['family', 'small', 20000]])
			project.sql(`INSERT INTO usage_days VALUES (date('now', '-${ago} days'), '${group}', '${model}', ${4 + ago % 3},
				${9000 + 1700 * (ago * 7 % 5)}, ${900 + 300 * (ago % 4)}, 4000, 100, ${cost * (1 + ago * 5 % 7)}, 0, 0)`);
	project.run(['group', 'config', 'family', 'budget.dailyDollars', '1']);
	project.run(['-q', '--yes', 'skill', 'apply', 'polite'], { codes: [3] });
}

// What differs from run to run and from machine to machine is no part of a snapshot.
function normal(name, text) {
	if (name === 'doctor') text = text.split('\n').filter(line => /heading|button/.test(line)).join('\n');
	return `${text.replaceAll(` ${userInfo().username}`, ' USER')
		.replace(/\b\d{1,2}:\d{2}\b/g, 'TIME')
		.replace(/\b(Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]*,?\s\d{1,2}(\s[A-Z][a-z]+)?/g, 'DAY')
		.replace(/\b\d{1,2} (Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sept?|Oct|Nov|Dec)[a-z]*( \d{4})?\b/g, 'DATE')
		.replace(/\b(Today|DATE)\b/g, 'DAY')
		.replace(/\bDAY,? TIME\b/g, 'TIME')
		.replace(/\b\d{4}-\d{2}-\d{2}\b/g, 'DATE')
		.replace(/ [\d.]+ (ms|s)\b/g, '')
		.replace(/'\/[^']*\/postbox'/g, "'ROOT'")
		.replace(/\b(message )'[0-9a-z]+'/g, "$1'ID'").replace(/\bkey [0-9a-f-]+-(\d)/g, 'key ID-$1')
		.replace(/[0-9.]+ awake/g, 'N awake')}\n`;
}

async function snapshots(page, context, pages) {
	for (const [name, address] of pages)
		await claim(`'${name}' has the expected accessibility tree, and no error`, async () => {
			await visit(page, address);
			const file = path.join(here, 'snapshots', `${name}.txt`);
			const got = normal(name, await page.locator('main').ariaSnapshot());
			if (mode === 'record') writeFileSync(file, got);
			equal(got, existsSync(file) ? readFileSync(file, 'utf8') : '', file);
			equal(context.wrong.splice(0).join('\n'), '', 'what went wrong');
		});
}

// --- conflicts ---------------------------------------------------------------------------

async function conflicts(page, project, context) {
	await claim('a conflict that is resolved with keys has the bytes of the terminal', async () => {
		for (const letter of ['o', 't', 'b', 'B']) {
			const terminal = copy(project, 'terminal');
			execFileSync('script', ['-E', 'never', '-qec', `'${project.nanoclaw}' -C '${terminal}' continue; true`, '/dev/null'],
				{ env: project.environment(), input: `${letter}\nn\n`, stdio: ['pipe', 'ignore', 'ignore'] });
			await visit(page, 'conflicts');
			await page.keyboard.press(letter);
			await page.getByText('everything is resolved').waitFor();
			equal(project.read('postbox').toString(), project.read('postbox', terminal).toString(), letter);
			await page.keyboard.press('u');
			await page.getByText('1 of 1 file left').waitFor();
		}
	});
	await claim('a file that changed since it was shown is not written', async () => {
		await visit(page, 'conflicts');
		const text = project.read('postbox').toString();
		const answer = await page.evaluate(async () => {
			const { act } = await import('/assets/api.js');
			return act('conflict-take', { path: 'postbox', side: 'ours', hunk: 1, hash: '0'.repeat(64) });
		});
		equal(answer.exit, 1);
		equal(answer.result.changed, true);
		equal(project.read('postbox').toString(), text);
	});
	await claim('an edited result that is not written yet is there again after another page and a reload', async () => {
		await visit(page, 'conflicts');
		await page.getByLabel('Result, if you edit it').fill('half a result');
		await visit(page, 'audit');
		await page.reload();
		await settled(page);
		await visit(page, 'conflicts');
		equal(await page.getByLabel('Result, if you edit it').inputValue(), 'half a result');
		await page.getByRole('button', { name: 'Discard' }).click();
	});
	await claim('an edited result is written, checked against what must be kept, and continued', async () => {
		await visit(page, 'conflicts');
		await page.keyboard.press('e');
		await page.keyboard.press('Control+A');
		await page.keyboard.type('\tanswer "$message"\n');
		await page.getByText('missing in the result').first().waitFor();
		await page.keyboard.press('Control+A');
		await page.keyboard.type(`\tprintf '%s: %s\\n' "$NAME" "$(printf '%s Thank you.' "$(answer "$message")" | tr '[:lower:]' '[:upper:]')"\n`);
		await page.getByRole('button', { name: 'Use this result' }).focus();
		await page.keyboard.press('Enter');
		await page.getByText('everything is resolved').waitFor();
		equal(/THANK|Thank you/.test(project.read('postbox').toString()), true);
		await page.getByRole('button', { name: 'Abort' }).focus();
		await page.keyboard.press('Enter');
		await page.getByRole('dialog').getByRole('button', { name: 'Abort' }).focus();
		await page.keyboard.press('Enter');
		await page.waitForFunction(() => location.hash === '#/stack');
		equal(project.json(['status']).pending, null);
		equal(context.wrong.splice(0).join('\n'), '', 'what went wrong');
	});
}

// --- text as it is written --------------------------------------------------------------------

async function writing(page) {
	const event = value => page.evaluate(data => new BroadcastChannel('nanoclaw-events').postMessage(data), { type: 'text', group: 'main', turn: 't99', ...value });
	await claim('text is shown as it is written, and gives way to the answer', async () => {
		await visit(page, 'chat/main');
		const text = page.locator('.writing .text');
		await event({ from: 0, text: 'Tea is **re' });
		await text.getByText('Tea is **re').waitFor();
		await event({ from: 11, text: 'ady** <img src=x onerror=window.hacked=8>' });
		await text.getByText('ready', { exact: true }).waitFor();
		equal(await text.textContent(), 'Tea is ready <img src=x onerror=window.hacked=8>');
		await event({ from: 0, text: 'Once more' });
		await text.getByText('Once more', { exact: true }).waitFor();
		await event({ done: true });
		await text.waitFor({ state: 'detached' });
	});
}

// --- hostile texts --------------------------------------------------------------------------

async function hostile(page, project, context) {
	await claim('hostile texts run no script and make no request', async () => {
		for (const [i, text] of HOSTILE.entries()) {
			project.run(['send', 'family', `remember ${text}`, '--wait']);
			project.run(['task', 'add', 'family', '--cron', '0 9 * * *', text.replaceAll('\u0007', '')]);
			project.run(['group', 'set', 'family', '--name', `Family ${i} ${text}`.replace(/[\u0007\u202e]/g, '').slice(0, 90)]);
		}
		project.run(['memory', 'write', 'family'], { input: HOSTILE.join('\n\n') });
		project.write('lib/settings.sh', `${project.read('lib/settings.sh')}\n# ${HOSTILE.join('\n# ')}\n`);
		const [skill, user] = ['skills/hostile', 'skills/analysis/hostile'].map(name => path.join(project.root, name));
		cpSync(path.join(project.root, 'skills/smile'), skill, { recursive: true });
		project.write('skills/hostile/manifest.yaml', `${project.read('skills/smile/manifest.yaml')}`.replace('skill: smile', 'skill: hostile')
			.replace(/^description: .*$/m, `description: '${HOSTILE[0]} ${HOSTILE[1]}'`));
		project.write('skills/hostile/modify/lib/answers.sh.intent.md', `# Intent: lib/answers.sh\n\n## What changed\n\n${HOSTILE.join('\n')}\n`);
		mkdirSync(user, { recursive: true });
		project.write('skills/analysis/hostile/SKILL.md', `---\nid: ${HOSTILE[0]}\nname: ${HOSTILE[1]}\n${HOSTILE[2]}\n---\n${HOSTILE.join('\n\n')}\n`);
		for (const text of HOSTILE)
			project.sql(`INSERT INTO audit (at, group_folder, kind, what, outcome, detail)
				VALUES ('2026-01-01T00:00:00.000Z', 'family', 'tool', '${text}', 'refused', '${text}')`);
		await page.route('**/api/channels*', async route => { // no channel here says such things
			const answer = await route.fetch();
			const data = await answer.json();
			await route.fulfill({ response: answer, json: { ...data, channels: HOSTILE.map(text => ({ name: text, kind: text, state: text, detail: text })) } });
		});
		for (const address of ['channels', 'user-skills', 'skills', 'skills/hostile', '', 'chat/family', 'groups', 'groups/family', 'memory/family', 'tasks', 'audit', 'lines', 'lines/lib%2Fsettings.sh',
			'stack', 'chat/family/t3', 'chat/%3Cimg%20src=x%20onerror=window.hacked=7%3E', 'update/%3Cscript%3E', 'skills/%3Cb%3E'])
			await visit(page, address);
		equal(await page.evaluate(() => window.hacked), undefined);
		equal(await page.evaluate(() => document.querySelectorAll('main img, main script, a[href^="javascript"]').length), 0);
		equal(context.wrong.splice(0).filter(line => !/40[04]|422/.test(line)).join('\n'), '', 'what went wrong');
	});
}

// --- all of it ------------------------------------------------------------------------------

async function accessible(browser, project, origin) {
	for (const [name, options] of [['light', {}], ['dark', { colorScheme: 'dark' }], ['on a phone', { viewport: { width: 390, height: 844 } }]])
		await claim(`axe finds no violation, ${name}`, async () => {
			const context = await openContext(browser, origin, options);
			const page = await signIn(context, project.link());
			const found = [];
			for (const [, address] of [...PAGES, ...IDLE]) {
				await visit(page, address);
				await page.evaluate(AXE());
				const { violations } = await page.evaluate(() => globalThis.axe.run());
				found.push(...violations.map(one => `${address}: ${one.id}: ${one.nodes.map(node => node.html).slice(0, 3).join(' ')}`));
				if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.push(`${address}: wider than the window`);
			}
			equal(found.join('\n'), '');
			await context.close();
		});
}

async function many(context, project) {
	await claim('twelve tabs see a message, also after the first is closed', async () => {
		const tabs = [];
		for (let i = 0; i < 12; i++) {
			tabs.push(await context.newPage());
			await tabs[i].goto(new URL('/#/chat/main', project.origin).href);
			await settled(tabs[i]);
		}
		project.run(['send', 'main', 'for twelve tabs']);
		for (const tab of tabs) await tab.getByText('for twelve tabs').waitFor();
		for (const tab of tabs.splice(0, 1)) await tab.close();
		project.run(['send', 'main', 'for eleven tabs']);
		for (const tab of tabs) await tab.getByText('for eleven tabs').waitFor();
		for (const tab of tabs) await tab.close();
	});
}

async function killed(browser, project) {
	await claim('a killed host loses and doubles nothing on the screen', async () => {
		const context = await openContext(browser, project.origin);
		const page = await signIn(context, project.link());
		await visit(page, 'chat/main');
		for (let round = 0; round < 5; round++) {
			project.run(['send', 'main', `remember round ${round}.`]);
			await Project.end(project.host);
			await project.startHost();
			await page.getByRole('listitem').filter({ hasText: `round ${round}.` }).first().waitFor();
		}
		const expected = project.json(['history', 'main', '--last', '500']).messages.filter(message => message.kind === 'message').length;
		await page.waitForFunction(count => document.querySelectorAll('.message.mine').length === count, Math.min(expected, 50));
		await context.close();
	});
	await claim('a killed dashboard comes back on the same page after a new link', async () => {
		const port = new URL(project.origin).port;
		const context = await openContext(browser, project.origin);
		const page = await signIn(context, project.link());
		await visit(page, 'chat/main');
		await Project.end(project.web);
		await page.getByText('nanoclaw web does not answer').first().waitFor();
		const link = await project.startWeb(port);
		await page.getByText('This browser has no session').waitFor();
		const other = await context.newPage();
		await other.goto(new URL('/#/audit', project.origin).href);
		await other.getByText('This browser has no session').waitFor();
		await page.goto(link);
		await page.getByRole('navigation', { name: 'Pages' }).waitFor();
		await visit(page, 'chat/main');
		await other.getByRole('heading', { name: 'Audit' }).waitFor();
		project.run(['send', 'main', 'after the kill']);
		await page.getByText('after the kill').waitFor();
		equal(await page.getByRole('listitem').filter({ hasText: 'after the kill' }).count(), 1);
		await context.close();
	});
}

async function pictures(browser, project, origin) {
	for (const [name, address, options] of [
		['dashboard-today', '', {}], ['dashboard-conflict', 'conflicts', {}], ['dashboard-layers', 'stack', { colorScheme: 'dark', viewport: { width: 1200, height: 520 } }]])
		await claim(`the picture ${name}`, async () => {
			const context = await openContext(browser, origin, { viewport: { width: 1200, height: 760 }, ...options });
			const page = await signIn(context, project.link());
			await visit(page, address);
			await page.evaluate(() => scrollTo(0, 0));
			await page.screenshot({ path: path.join(source, 'docs/images', `${name}.png`) });
			await context.close();
		});
}

function libraries() {
	const readme = readFileSync(path.join(source, 'src/web/pages/vendor/README.md'), 'utf8');
	return claim('libraries are those that their page names', () => {
		for (const [, file, hash] of readme.matchAll(/^\| `([\w.-]+)` .*\| ([0-9a-f]{64}) \|$/gm))
			equal(createHash('sha256').update(readFileSync(path.join(source, 'src/web/pages/vendor', file))).digest('hex'), hash, file);
	});
}

skipWithoutBrowser();
const project = new Project(nanoclaw, source);
let browser;
try {
	await prepare(project);
	const link = await project.startWeb();
	project.origin = new URL(link).origin;
	browser = await openBrowser();
	if (mode === 'pictures') {
		await pictures(browser, project, project.origin);
	} else {
		const context = await openContext(browser, project.origin);
		const page = await signIn(context, link);
		await libraries();
		await snapshots(page, context, PAGES);
		if (torture) await accessible(browser, project, project.origin);
		await conflicts(page, project, context);
		await snapshots(page, context, IDLE);
		if (torture) await many(context, project);
		await writing(page);
		await minutes(page, project, context);
		await actions(page, project, torture);
		await hostile(page, project, context);
		if (torture) await killed(browser, project);
	}
} finally {
	await browser?.close();
	await project.close();
}
finish();
