// workflow.mjs WORKFLOW: does the parser of GitHub Actions take the workflow, and does
// it refuse one that is wrong? In TAP.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { pathToFileURL } from "node:url";

const file = process.argv[2];
const modules = process.env.NODE_MODULES;
// It is made for bundlers, which take JSON for a module.
const hook = `
	import { readFileSync } from "node:fs";
	export async function load(url, context, next) {
		if (!url.endsWith(".json")) return next(url, context);
		const source = "export default " + readFileSync(new URL(url), "utf8");
		return { format: "module", shortCircuit: true, source };
	}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);

const load = (name) => import(pathToFileURL(`${modules}/@actions/workflow-parser/dist/${name}.js`));

const { parseWorkflow, convertWorkflowTemplate } = await load("index");
const { NoOperationTraceWriter } = await load("templates/trace-writer");

async function read(content) {
	const trace = new NoOperationTraceWriter();
	const { context, value } = parseWorkflow({ name: file, content }, trace);
	const template = value && (await convertWorkflowTemplate(context, value));
	return { errors: context.errors.getErrors().map((e) => e.message), template };
}

let count = 0;
function claim(holds, what, found) {
	console.log(`${holds ? "ok" : "not ok"} ${++count} - ${what}`);
	if (!holds) console.log(`# ${JSON.stringify(found)}`);
}

const text = readFileSync(file, "utf8");
const good = await read(text);
claim(good.errors.length === 0, "the workflow has no faults", good.errors);
claim(
	good.template?.jobs?.map((job) => job.id.toString()).join() === "plan,test",
	"it plans, and then tests",
	good.template,
);
const typo = await read(text.replace("fail-fast:", "fail-fats:"));
claim(typo.errors.length > 0, "a wrong key would be found", typo.errors);
const unknown = await read(text.replaceAll("needs.plan", "nedes.plan"));
claim(unknown.errors.length > 0, "a wrong expression would be found", unknown.errors);
console.log(`1..${count}`);
