// Markdown as nodes, never as HTML: text from agents and files is hostile. Links lead to http,
// https or mailto only; everything else stays text.
import { h } from './vendor/preact.js';

const INLINE = [
	[/^`+/, code],
	[/^\*\*(?=\S)(.+?)\*\*/s, (m, depth) => h('strong', null, inline(m[1], depth))],
	[/^__(?=\S)(.+?)__(?!\w)/s, (m, depth) => h('strong', null, inline(m[1], depth))],
	[/^~~(?=\S)(.+?)~~/s, (m, depth) => h('del', null, inline(m[1], depth))],
	[/^\*(?=[^\s*])([^*]+?)\*/, (m, depth) => h('em', null, inline(m[1], depth))],
	[/^_(?=[^\s_])([^_]+?)_(?!\w)/, (m, depth) => h('em', null, inline(m[1], depth))],
	[/^\[([^\]\n]{1,500})\]\(([^\s()]{1,2000})\)/, (m, depth) => link(m[2], inline(m[1], depth))],
	[/^<((?:https?:\/\/|mailto:)[^\s<>]{1,2000})>/, m => link(m[1], m[1])],
	[/^https?:\/\/[^\s<>()]{1,2000}[^\s<>().,;:!?'"]/, m => link(m[0], m[0])],
];

function code(mark, depth, text) {
	const end = text.indexOf(mark[0], mark[0].length);
	if (end < 0) return null;
	const inside = text.slice(mark[0].length, end);
	return { node: h('code', null, inside.trim() || inside), length: end + mark[0].length };
}

function link(address, content) {
	let url;
	try { url = new URL(address); } catch { return content; }
	if (!['http:', 'https:', 'mailto:'].includes(url.protocol)) return content;
	return h('a', { href: url.href, rel: 'noopener noreferrer', target: '_blank' }, content);
}

export function inline(text, depth = 0) {
	const out = [];
	let plain = '';
	for (let i = 0; i < text.length;) {
		const rest = text.slice(i, i + 4000);
		let found = null;
		if (depth < 8 && /[`*_~[<h]/.test(rest[0]) && !(rest[0] === '_' && /\w$/.test(plain)))
			for (const [pattern, make] of INLINE) {
				const match = rest.match(pattern);
				const made = match && make(match, depth + 1, rest);
				if (!made) continue;
				found = made.length && made.node ? made : { node: made, length: match[0].length };
				break;
			}
		if (!found) { plain += text[i++]; continue; }
		out.push(plain, found.node);
		plain = '';
		i += found.length;
	}
	return [...out, plain];
}

// Blocks: fenced code, headings, lists, quotes, rules, paragraphs.
export function markdown(text) {
	const lines = text.replaceAll('\r\n', '\n').split('\n');
	const out = [];
	let at = 0; // lines before it are done
	const gather = (pattern, strip) => {
		const got = [];
		while (at < lines.length && pattern.test(lines[at])) got.push(lines[at++].replace(strip, ''));
		return got;
	};
	while (at < lines.length) {
		const line = lines[at];
		let m;
		if (!line.trim()) {
			at++;
		} else if ((m = line.match(/^\s*(```+|~~~+)/))) {
			const start = ++at;
			while (at < lines.length && !lines[at].trim().startsWith(m[1])) at++;
			out.push(h('pre', { tabIndex: 0 }, h('code', null, lines.slice(start, at++).join('\n'))));
		} else if ((m = line.match(/^(#{1,6})\s+(.*)/))) {
			at++;
			out.push(h('p', { class: 'md-heading' }, inline(m[2])));
		} else if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
			at++;
			out.push(h('hr'));
		} else if (/^>/.test(line)) {
			out.push(h('blockquote', null, inline(gather(/^>/, /^>\s?/).join('\n'))));
		} else if (/^\s*[-*+]\s+\S/.test(line)) {
			out.push(h('ul', null, gather(/^\s*[-*+]\s+\S/, /^\s*[-*+]\s+/).map(item => h('li', null, inline(item)))));
		} else if ((m = line.match(/^\s*(\d{1,9})[.)]\s+\S/))) {
			out.push(h('ol', { start: Number(m[1]) }, gather(/^\s*\d+[.)]\s+\S/, /^\s*\d+[.)]\s+/)
				.map(item => h('li', null, inline(item)))));
		} else {
			const start = at++;
			while (at < lines.length && lines[at].trim() && !/^\s*(```|~~~|#{1,6}\s|>|[-*+]\s|\d+[.)]\s)/.test(lines[at])) at++;
			out.push(h('p', null, inline(lines.slice(start, at).join('\n'))));
		}
	}
	return out;
}
