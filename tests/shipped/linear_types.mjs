// linear_types.mjs MODULES < CALLS: recorded GraphQL calls, a JSON object with `query` and `variables` in
// each line, as TypeScript that compiles only if all fields, arguments and variables are of the types
// that Linear's SDK gives them. The package has no schema, only these types.
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';

const { parse } = createRequire(`${process.argv[2]}/`)('graphql');
const scalars = { Int: 'number', String: 'string' };
let count = 0;

const title = (name) => name[0].toUpperCase() + name.slice(1);
const nameOf = (type) => (type.kind === 'NamedType' ? type.name.value : nameOf(type.type));

// `parent` is a type in TypeScript, `owner` its name in Linear's schema.
function fields(selections, parent, owner) {
	for (const { name, arguments: given, selectionSet } of selections) {
		const type = `T${++count}`;

		console.log(`export type ${type} = Field<${parent}, "${name.value}">;`);
		for (const argument of given)
			console.log(`export type A${++count} =` +
				` L.${owner}${title(name.value)}Args["${argument.name.value}"];`);
		if (selectionSet)
			fields(selectionSet.selections, type, title(name.value));
	}
}

console.log('import type { LinearDocument as L } from "@linear/sdk";');
console.log('type One<T> = T extends Array<infer U> ? NonNullable<U> : NonNullable<T>;');
console.log('export type Field<T, K extends keyof T> = One<NonNullable<T[K]>>;');
for await (const line of createInterface({ input: process.stdin })) {
	const { query, variables } = JSON.parse(line);
	const [operation] = parse(query).definitions;
	const root = title(operation.operation);

	fields(operation.selectionSet.selections, `L.${root}`, root);
	for (const { variable, type } of operation.variableDefinitions) {
		const value = variables[variable.name.value];

		if (value !== undefined)
			console.log(`export const v${++count}: ` +
				`${scalars[nameOf(type)] ?? `L.${nameOf(type)}`} = ${JSON.stringify(value)};`);
	}
}
