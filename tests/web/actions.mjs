// What a person does on the pages, with the effect that the terminal sees.
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync } from 'node:fs';
import path from 'node:path';
import { claim, equal, settled, visit } from './dashboard.mjs';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const confirm = (page, name) => page.getByRole('dialog').getByRole('button', { name, exact: true }).click();
const line = (page, text) => page.locator('footer').getByText(text).waitFor();

// The project without what runs in it.
export function copy(project, name) {
	const folder = path.join(project.folder, name);
	execFileSync('rm', ['-rf', folder]);
	cpSync(project.root, folder, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true, filter: file => !file.includes('/data/run') });
	return folder;
}

// The files of the source, and the engine's records of them without the times.
function source(project, root = project.root) {
	const files = execFileSync('sh', ['-c', 'find VERSION postbox lib -type f -exec sha256sum {} + | sort'], { cwd: root, encoding: 'utf8' });
	const { core, skills, drift, pending } = project.json(['status'], { root });
	return files + JSON.stringify([core, skills, drift, pending], (name, value) => /At$/.test(name) ? undefined : value);
}

async function assistant(page, project) {
	await claim('memory is saved, but not over what the agent wrote meanwhile', async () => {
		await visit(page, 'memory/main');
		const text = page.getByLabel('Memory of main');
		await text.fill('- tea\n');
		await button(page, 'Save').click();
		await line(page, '✓');
		equal(project.run(['memory', 'show', 'main']), '- tea\n');
		await settled(page);
		await text.fill('- mine\n');
		project.run(['memory', 'write', 'main'], { input: '- theirs\n' });
		await page.evaluate(async () => { // as a page does that has not heard of the change yet
			const { act } = await import('/assets/api.js');
			window.late = await act('memory-save', { group: 'main', hash: '0'.repeat(64), text: '- late\n' });
		});
		equal(await page.evaluate(() => window.late.exit !== 0), true, 'a save with an old hash');
		await page.getByText('has changed the memory since you began').waitFor();
		equal(await button(page, 'Save').isDisabled(), true);
		equal(project.run(['memory', 'show', 'main']), '- theirs\n');
		equal(await text.inputValue(), '- mine\n');
		await button(page, 'Keep my text and save over it').click();
		await button(page, 'Save').click();
		await line(page, '✓');
		equal(project.run(['memory', 'show', 'main']), '- mine\n');
	});
	await claim('a task is scheduled, paused, resumed and cancelled', async () => {
		await visit(page, 'tasks');
		await page.getByLabel('How').selectOption('cron');
		await page.getByLabel('When').fill('0 9 * * 1-5');
		await page.getByLabel('What the agent is told').fill("what's on today?");
		await button(page, 'Schedule').click();
		await page.getByRole('cell', { name: "what's on today?" }).waitFor();
		const task = () => project.json(['task', 'list']).tasks.find(one => one.prompt === "what's on today?");
		const { id, scheduleValue } = task();
		equal(scheduleValue, '0 9 * * 1-5');
		await button(page, `Pause task ${id}`).click();
		await button(page, `Resume task ${id}`).waitFor();
		equal(task().status, 'paused');
		await button(page, `Resume task ${id}`).click();
		await button(page, `Pause task ${id}`).waitFor();
		await button(page, `Cancel task ${id}`).click();
		await confirm(page, 'Cancel');
		await button(page, `Cancel task ${id}`).waitFor({ state: 'detached' });
		equal(task(), undefined);
	});
	await claim('a setting is saved after its difference was shown; a refused one stays to be corrected', async () => {
		await visit(page, 'groups/family');
		await page.getByLabel('Setting').selectOption('limits.seconds');
		await page.getByLabel('Value').fill('many');
		await button(page, 'Save').click();
		await line(page, "✗");
		equal(await page.getByLabel('Value').inputValue(), 'many');
		await page.getByLabel('Value').fill('30');
		equal(await page.locator('.note .patch').textContent(), '- limits.seconds: (default)\n+ limits.seconds: 30');
		await button(page, 'Save').click();
		await page.locator('.note .patch').waitFor({ state: 'detached' });
		equal(project.json(['group', 'show', 'family']).config.limits.seconds, 30);
		await settled(page);
		await page.getByLabel('Value').fill('');
		await button(page, 'Save').click();
		await page.locator('.note .patch').waitFor({ state: 'detached' });
		equal(project.json(['group', 'show', 'family']).config.limits?.seconds, undefined);
	});
	await claim('Stop ends a turn in the middle of its answer', async () => {
		project.write('groups/family/agent', `#!/bin/sh
read -r line
echo '{"type":"stream_event","event":{"delta":{"type":"text_delta","text":"It is a long story"}}}'
read -r forever
`);
		chmodSync(path.join(project.root, 'groups/family/agent'), 0o755);
		project.run(['group', 'config', 'family', 'agent', './agent']);
		await visit(page, 'chat/family');
		await page.getByLabel('Message to family').fill('tell me a story');
		await page.keyboard.press('Enter');
		await page.getByText('It is a long story').waitFor();
		await button(page, 'Stop').click();
		await button(page, 'Stop').waitFor({ state: 'detached' });
		await page.locator('.message.error').waitFor();
		equal(project.json(['trace']).turns[0].state === 'claimed', false, 'the turn goes on');
		project.run(['group', 'config', '--unset', 'family', 'agent']);
	});
}

async function engine(page, project) {
	await claim('a skill is applied, its conflict resolved and continued as on the terminal, and all of it undone', async () => {
		const before = source(project);
		await visit(page, 'skills');
		await button(page, 'Apply polite').click();
		await page.getByRole('dialog').getByText('It will pause').waitFor();
		await confirm(page, 'Apply');
		await page.waitForFunction(() => location.hash === '#/conflicts');
		await page.getByLabel('Result, if you edit it').fill(
			`\tprintf '%s: %s\\n' "$NAME" "$(printf '%s Thank you.' "$(answer "$message")" | tr '[:lower:]' '[:upper:]')"\n`);
		await button(page, 'Use this result').click();
		await page.getByText('everything is resolved').waitFor();
		const terminal = copy(project, 'terminal');
		project.run(['-q', '--yes', 'continue'], { root: terminal });
		await button(page, 'Continue').click();
		await page.waitForFunction(() => location.hash === '#/stack');
		equal(source(project), source(project, terminal));
		const after = source(project);
		await visit(page, 'history');
		await page.getByRole('button', { name: /^Undo 1 / }).click();
		await page.getByRole('dialog').getByText('postbox').waitFor();
		await confirm(page, 'Undo');
		await button(page, 'Redo').waitFor();
		equal(source(project), before);
		await settled(page);
		await button(page, 'Redo').click();
		await confirm(page, 'Redo');
		await button(page, 'Redo').waitFor({ state: 'detached' });
		equal(source(project), after);
		await settled(page);
		await page.getByRole('button', { name: /^Undo 1 / }).click();
		await confirm(page, 'Undo');
		await button(page, 'Redo').waitFor();
		equal(source(project), before);
	});
}

// Those that take longer.
async function engineAtLength(page, project) {
	await claim('a matrix is run, and its failures are shown in the grid', async () => {
		await visit(page, 'matrix');
		await button(page, 'Run').click();
		await line(page, '2 of 14 entries failed');
		await page.getByText('polite and shout: conflict').waitFor({ state: 'attached' });
		await page.getByRole('link', { name: 'polite and shout' }).click();
		await page.getByRole('heading', { name: 'polite + shout', exact: true }).waitFor();
	});
	await claim('a core is updated after its preview, and undone', async () => {
		const before = source(project);
		await visit(page, 'update');
		await page.getByLabel('New core').fill('updates/1.0.0-to-1.1.0');
		await button(page, 'Preview').click();
		await button(page, 'Update').click();
		await confirm(page, 'Update');
		await line(page, '✓ nanoclaw update');
		equal(project.read('VERSION').toString().trim(), '1.1.0');
		await visit(page, 'history');
		await page.getByRole('button', { name: /^Undo 1 / }).click();
		await confirm(page, 'Undo');
		await button(page, 'Redo').waitFor();
		equal(source(project), before);
	});
	await claim('the doctor fixes what it shows', async () => {
		execFileSync('chmod', ['755', path.join(project.root, 'store')]);
		await visit(page, 'doctor');
		await button(page, 'Fix').click();
		await confirm(page, 'Fix');
		await line(page, '✓ nanoclaw doctor');
	});
	await claim('older messages are shown on request, each once', async () => {
		for (let i = 0; i < 60; i++) project.run(['send', 'family', `number ${i}.`]);
		project.run(['send', 'family', 'the last one', '--wait']);
		await visit(page, 'chat/family');
		await page.getByText('the last one').first().waitFor();
		while (await button(page, 'Older messages').count()) {
			const before = await page.locator('.message').count();
			await button(page, 'Older messages').click();
			await page.waitForFunction(count => document.querySelectorAll('.message').length > count, before);
		}
		for (let i = 0; i < 60; i++) equal(await page.locator('.message.mine').getByText(`number ${i}.`, { exact: true }).count(), 1, `number ${i}`);
	});
	await claim('older entries of the audit are shown on request', async () => {
		project.sql(`WITH RECURSIVE n(i) AS (SELECT 1 UNION SELECT i + 1 FROM n WHERE i < 120)
			INSERT INTO audit (at, group_folder, kind, what, outcome, detail) SELECT '2026-01-01T00:00:00.000Z', 'main', 'egress', 'host' || i, 'done', NULL FROM n`);
		await visit(page, 'audit');
		await page.getByRole('cell', { name: 'host120', exact: true }).waitFor();
		while (!await page.getByRole('cell', { name: 'host1', exact: true }).count()) {
			const before = await page.getByRole('row').count();
			await button(page, 'Older entries').click();
			await page.waitForFunction(count => document.querySelectorAll('tr').length > count, before);
		}
	});
}

export async function actions(page, project, torture) {
	await assistant(page, project);
	await engine(page, project);
	if (torture) await engineAtLength(page, project);
}
