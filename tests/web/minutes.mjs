// A person's first minutes: opens a chat, types, looks elsewhere, comes back; and the host goes away.
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { Project, PATIENCE, claim, equal, settled, visit } from './dashboard.mjs';

const ADDRESSES = ['', 'chat/main', 'chat/main/t1', 'groups', 'groups/family', 'memory/main', 'tasks', 'tasks/1', 'usage', 'channels', 'audit', 'user-skills',
	'stack', 'lines', 'skills', 'skills/shout', 'conflicts', 'history', 'update', 'matrix', 'doctor'];
const WORD = 'W'.repeat(3000);

const wrong = context => context.wrong.splice(0).join('\n');
const button = (page, name) => page.getByRole('button', { name, exact: true });
// Events of scrolling come with the next frame.
const goToTop = page => page.evaluate(() => new Promise(done => { scrollTo(0, 0); requestAnimationFrame(() => requestAnimationFrame(done)); }));
const isAtEnd = page => page.waitForFunction(() => document.documentElement.scrollHeight - scrollY - innerHeight < 2);

async function chat(page, project, context) {
	await claim('a chat opens at its latest message, and follows it unless the person reads older ones', async () => {
		for (let i = 0; i < 30; i++) project.run(['send', 'family', `remember number ${i}.`, '--wait']);
		await visit(page, 'chat/family');
		await isAtEnd(page);
		equal(await page.evaluate(() => scrollY > 0), true, 'nothing to scroll');
		project.run(['send', 'family', 'remember the end', '--wait']);
		await page.getByText('Noted: the end').waitFor();
		await isAtEnd(page);
		await goToTop(page);
		project.run(['send', 'family', 'remember more', '--wait']);
		await page.getByText('Noted: more').waitFor();
		await settled(page);
		equal(await page.evaluate(() => scrollY), 0);
		await visit(page, 'chat/main');
		await isAtEnd(page);
	});
	await claim('older messages come above what the person reads, and a trace opens beside it', async () => {
		await visit(page, 'chat/family');
		await goToTop(page);
		const top = () => page.getByText('Noted: number 10.').evaluate(node => node.getBoundingClientRect().top);
		const before = await top();
		await button(page, 'Older messages').click();
		await page.getByText('Noted: number 0.').waitFor();
		equal(Math.abs(await top() - before) < 60, true, `from ${before} to ${await top()}`); // the button may have gone
		const at = await page.evaluate(() => scrollY);
		await visit(page, 'chat/family/t3');
		equal(await page.evaluate(() => scrollY), at);
	});
	await claim('Enter twice sends once, what is typed meanwhile is the next message, and a failed one comes back', async () => {
		const box = page.getByLabel('Message to family');
		const held = [];
		const request = async () => {
			for (const end = Date.now() + PATIENCE; !held.length && Date.now() < end;) await page.evaluate(() => new Promise(requestAnimationFrame));
			return held.shift();
		};
		await page.route('**/api/send', route => { held.push(route); });
		await visit(page, 'chat/family');
		await box.fill('remember once');
		await page.keyboard.press('Enter');
		await page.keyboard.press('Enter');
		await page.keyboard.type('and then');
		await (await request()).continue();
		await page.getByText('Noted: once').waitFor();
		equal(await box.inputValue(), 'and then');
		equal(await page.locator('.message.mine').getByText('remember once', { exact: true }).count(), 1);
		await page.keyboard.press('Enter');
		await page.keyboard.type('third');
		await (await request()).fulfill({ status: 500, json: { error: 'no place' } });
		await page.getByText('✗ no place').waitFor();
		equal(await box.inputValue(), 'and then\nthird');
		await box.fill('');
		await page.unroute('**/api/send');
		context.wrong.splice(0);
	});
	await claim('an answer that is read here is not called undelivered', async () => {
		project.run(['send', 'main', 'remember this page']);
		await visit(page, 'chat/main');
		await page.getByText('Noted: this page').waitFor();
		await settled(page);
		equal(await page.getByText('not delivered yet').count(), 0);
	});
	await claim('a text of a million lines is shown', async () => {
		const tab = await context.newPage();
		let late;
		await tab.goto(project.origin);
		const shown = tab.evaluate(async () => {
			const { markdown } = await import('/assets/markdown.js');
			return markdown(`one${'\n'.repeat(2 ** 20)}${'- two\n'.repeat(2 ** 16)}${'three\n'.repeat(2 ** 16)}`).length;
		});
		const patience = new Promise((_, fail) => { late = setTimeout(() => fail(new Error('it still computes')), PATIENCE); });
		equal(await Promise.race([shown, patience]), 3);
		clearTimeout(late);
		await tab.close();
	});
}

async function drafts(page) {
	// [address, label of the field, text, what empties it]
	const fields = [
		['chat/family', 'Message to family', 'half a sentence'], ['memory/family', 'Memory of family', '- half a note', 'Discard'],
		['groups/family', 'Value', 'native', 'Discard'], ['tasks', 'What the agent is told', 'half a task'],
	];
	await claim('what was typed is there again, after another page and after a reload', async () => {
		for (const [address, label, text] of fields) {
			await visit(page, address);
			await page.getByLabel(label).fill(text);
		}
		await visit(page, 'audit');
		await page.reload();
		await settled(page);
		for (const [address, label, text, discard] of fields) {
			await visit(page, address);
			equal(await page.getByLabel(label).inputValue(), text, address);
			await (discard ? button(page, discard).click() : page.getByLabel(label).fill(''));
			await visit(page, 'audit');
			await visit(page, address);
			equal(await page.getByLabel(label).inputValue() === text, false, `${address} was emptied`);
		}
	});
}

async function engine(page, project) {
	await claim('with a local change, Apply and Remove show what they would do, and Update its conflict', async () => {
		const before = ['lib/settings.sh', 'lib/answers.sh'].map(name => [name, project.read(name)]);
		project.write('lib/settings.sh', `${before[0][1]}# mine\n`);
		await visit(page, 'skills');
		for (const [name, act] of [['Apply smile', 'Apply'], ['Remove diary', 'Remove']]) {
			await button(page, name).click();
			const dialog = page.getByRole('dialog');
			await dialog.getByText('Your changes in lib/settings.sh are recorded first').waitFor();
			equal(await dialog.getByRole('button', { name: act, exact: true }).isDisabled(), false, name);
			await dialog.getByRole('button', { name: 'Back' }).click();
		}
		project.write('lib/answers.sh', `${before[1][1]}`.replace(/^(.*hello.*)$/m, '$1 # mine').replace(/^(.*Noted.*|.*box.*)$/m, '$1 # mine'));
		await visit(page, 'update/updates%2F1.0.0-to-1.1.0');
		await page.getByText('You will be asked about these').waitFor();
		equal(await page.getByRole('alert').count(), 0);
		for (const [name, text] of before) project.write(name, text);
	});
}

async function looks(page, project) {
	await claim('commands of user skills are listed', async () => {
		const folder = path.join(project.root, 'skills/planning');
		mkdirSync(folder, { recursive: true });
		cpSync(path.join(project.source, 'skills/planning'), folder, { recursive: true });
		project.run(['user-skill', 'sync']);
		const { skills } = project.json(['user-skill', 'list']);
		await visit(page, 'user-skills');
		for (const command of skills.flatMap(skill => skill.commands))
			await page.getByText(`/${command.name}`, { exact: true }).waitFor();
		equal(skills.some(skill => skill.commands.length), true);
	});
	await claim('a run that was answered is green', async () => {
		project.run(['task', 'add', 'family', '--at', 'in 1 second', 'the green one']);
		await visit(page, `tasks/${project.json(['task', 'list']).tasks.find(task => task.prompt === 'the green one').id}`);
		await page.getByRole('cell', { name: 'answered' }).locator('.dot.good').waitFor();
	});
	await claim('one long word makes no page wider than the window', async () => {
		project.run(['send', 'family', `remember ${WORD}`, '--wait']);
		project.run(['task', 'add', 'family', '--cron', '0 9 * * *', WORD]);
		project.run(['memory', 'write', 'family'], { input: `${WORD}\n\n    ${WORD}\n` });
		project.write('lib/settings.sh', `${project.read('lib/settings.sh')}# ${WORD}\n`);
		for (const width of [1280, 390]) {
			await page.setViewportSize({ width, height: 900 });
			for (const address of ['chat/family', 'memory/family', 'lines/lib%2Fsettings.sh', ...ADDRESSES]) {
				await visit(page, address);
				equal(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), true, `${address} at ${width}`);
			}
		}
		await page.setViewportSize({ width: 1280, height: 900 });
		project.write('lib/settings.sh', `${project.read('lib/settings.sh')}`.replace(`# ${WORD}\n`, ''));
	});
}

async function failures(page, project, context) {
	await claim('a page that throws says so, and the others open', async () => {
		await page.route('**/api/tasks*', route => route.fulfill({ json: { success: true } }));
		await page.evaluate(() => sessionStorage.clear());
		await page.reload();
		await page.getByRole('heading', { name: 'This page cannot be shown' }).waitFor();
		await visit(page, 'audit');
		await page.getByRole('heading', { name: 'Audit' }).waitFor();
		await page.unroute('**/api/tasks*');
		await visit(page, '');
		await page.getByRole('heading', { name: 'Next tasks' }).waitFor();
		equal(wrong(context) !== '', true, 'it was not logged');
	});
	await claim('a read that a button began and that failed is told', async () => {
		await visit(page, 'chat/family');
		await page.route('**/api/messages?*before=*', route => route.fulfill({ status: 500, json: { error: 'no place' } }));
		await button(page, 'Older messages').click();
		await page.getByText('✗ no place').waitFor();
		await page.unroute('**/api/messages?*before=*');
		context.wrong.splice(0);
	});
	await claim('text that is being written goes when the host is killed, and every page opens without a host', async () => {
		await visit(page, 'chat/main');
		await page.evaluate(() => new BroadcastChannel('nanoclaw-events').postMessage({ type: 'text', group: 'main', turn: 't99', from: 0, text: 'Tea is' }));
		await page.locator('.writing').waitFor();
		await Project.end(project.host);
		await page.locator('.writing').waitFor({ state: 'detached' });
		for (const address of ADDRESSES) await visit(page, address);
		await visit(page, '');
		await page.getByText('The assistant is not running').waitFor();
		equal(wrong(context), '', 'what went wrong');
		await project.startHost();
	});
	await claim('and with a host that hangs', async () => {
		project.host.kill('SIGSTOP');
		for (const address of ['', 'skills', '']) await visit(page, address);
		await page.getByText('but it does not answer').first().waitFor();
		project.host.kill('SIGCONT');
		equal(wrong(context), '', 'what went wrong');
	});
}

export async function minutes(page, project, context) {
	await chat(page, project, context);
	await drafts(page);
	await engine(page, project);
	await looks(page, project);
	await visit(page, '');
	await failures(page, project, context);
}
