// A project with a host, a paused operation and a dashboard, and a browser to look at it: for the
// tests in this folder. The browser is Debian's Chromium; without it they are skipped.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const require = createRequire(`${process.env.NODE_MODULES}/`);
const BROWSER = ['/usr/bin/chromium', '/usr/bin/chromium-browser'].find(existsSync);
export const PATIENCE = Number(process.env.PATIENCE ?? 120000); // ms that anything may take; not a measure of anything
export const AXE = () => readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

export function skipWithoutBrowser() {
	if (BROWSER) return;
	console.log('1..0 # SKIP chromium is not installed');
	process.exit(0);
}

// --- claims, in TAP ------------------------------------------------------------------------

let number = 0;
let failed = 0;

export async function claim(text, check) {
	try {
		await check();
		console.log(`ok ${++number} - ${text}`);
	} catch (error) {
		failed++;
		console.log(`not ok ${++number} - ${text}`);
		console.log(String(error.stack ?? error).replace(/^/gm, '# '));
	}
}

export function finish() {
	console.log(`1..${number}`);
	process.exitCode = failed ? 1 : 0;
}

export function equal(got, expected, what = '') {
	if (got !== expected) throw new Error(`${what}\nexpected:\n${expected}\ngot:\n${got}`);
}

// --- the project ---------------------------------------------------------------------------

export class Project {
	constructor(nanoclaw, source) {
		this.nanoclaw = path.resolve(nanoclaw);
		this.source = path.resolve(source);
		this.folder = mkdtempSync(path.join(tmpdir(), 'nanoclaw-web.'));
		this.root = path.join(this.folder, 'postbox');
		this.children = new Set();
		cpSync(path.join(this.source, 'examples/postbox'), this.root, { recursive: true });
		// Without the resolutions that the sample ships, two of its skills conflict.
		rmSync(path.join(this.root, '.claude'), { recursive: true });
	}

	environment() {
		return { PATH: process.env.PATH, HOME: this.folder, LANG: 'C.UTF-8', TZ: 'UTC', TMPDIR: this.folder, USER: 'ann' };
	}

	// The output of a command; any exit code in `codes` is right.
	run(words, { input = '', codes = [0], root = this.root } = {}) {
		try {
			return execFileSync(this.nanoclaw, ['-C', root, ...words], {
				env: this.environment(), input, encoding: 'utf8', stdio: ['pipe', 'pipe', 'pipe'], timeout: PATIENCE,
			});
		} catch (error) {
			if (codes.includes(error.status)) return error.stdout;
			throw new Error(`${words.join(' ')}: ${error.status} ${error.stderr}`);
		}
	}

	json(words, options) { return JSON.parse(this.run(['--json', ...words], options)); }

	// A child whose standard output or error has a line with these words when it is ready.
	start(words, ready) {
		const child = spawn(this.nanoclaw, ['-C', this.root, ...words], { env: this.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
		let said = '';
		this.children.add(child);
		child.on('exit', () => this.children.delete(child));
		return new Promise((done, fail) => {
			const hear = data => {
				said += data;
				const found = said.match(ready);
				if (found) done({ child, found });
			};
			child.stdout.on('data', hear);
			child.stderr.on('data', hear);
			child.on('exit', code => fail(new Error(`${words.join(' ')} ended with ${code}: ${said}`)));
		});
	}

	async startHost() { this.host = (await this.start(['run'], /is running/)).child; }

	async startWeb(port) {
		const { child, found } = await this.start(['--json', 'web', ...(port ? ['--port', String(port)] : [])], /"link": "([^"]+)"/);
		this.web = child;
		return found[1];
	}

	link() { return this.json(['web']).link; }

	read(name, root = this.root) { return readFileSync(path.join(root, name)); }
	write(name, text) { writeFileSync(path.join(this.root, name), text); }

	sql(text) { execFileSync('sqlite3', ['-cmd', '.timeout 20000', path.join(this.root, 'store/nanoclaw.db'), text]); }

	static async end(child) {
		if (!child || child.exitCode !== null || child.signalCode) return;
		const ended = new Promise(done => child.on('exit', done));
		child.kill('SIGKILL');
		await ended;
	}

	async close() {
		for (const child of [...this.children]) await Project.end(child);
		rmSync(this.folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
	}
}

// --- the browser ---------------------------------------------------------------------------

export async function openBrowser() {
	const { chromium } = require('playwright-core');
	return chromium.launch({ executablePath: BROWSER, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

// A context whose pages report what no page may do: errors, dialogs, requests elsewhere.
export async function openContext(browser, origin, options = {}) {
	const context = await browser.newContext({
		locale: 'en-GB', timezoneId: 'UTC', viewport: { width: 1280, height: 900 }, reducedMotion: 'reduce', ...options,
	});
	context.setDefaultTimeout(PATIENCE);
	context.wrong = [];
	context.on('console', message => { if (message.type() === 'error') context.wrong.push(message.text()); });
	context.on('weberror', error => context.wrong.push(String(error.error().stack)));
	context.on('dialog', dialog => { context.wrong.push(`dialog: ${dialog.message()}`); dialog.dismiss(); });
	context.on('request', request => {
		const url = new URL(request.url());
		if (url.origin !== origin && url.protocol !== 'data:') context.wrong.push(`request to ${url}`);
	});
	return context;
}

export async function signIn(context, link) {
	const page = await context.newPage();
	await page.goto(link);
	await settled(page);
	return page;
}

// Nothing is loading any more, also after the page had the time to ask for something.
export async function settled(page) {
	for (let again = 0; again < 2; again++) {
		await page.waitForFunction(() => document.querySelector('main h1') && document.documentElement.dataset.reads === '0'
			&& !document.querySelector('main [aria-busy=true]'));
		await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)))));
	}
	await page.waitForFunction(() => document.documentElement.dataset.reads === '0' && !document.querySelector('main [aria-busy=true]'));
}

export async function visit(page, address) {
	await page.evaluate(to => { location.hash = `/${to}`; }, address);
	await page.waitForFunction(to => {
		const current = document.querySelector('nav [aria-current]');
		return current?.getAttribute('href') === `#/${to.split('/')[0]}`;
	}, address);
	await settled(page);
}
