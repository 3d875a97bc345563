// Reads an OpenAPI 3.1 description on standard input and writes the TypeScript types of the web app:
//   meridian openapi | node scripts/types.mjs > web/src/generated/api.ts
import { readFileSync } from 'node:fs';

const api = JSON.parse(readFileSync(0, 'utf8'));
const out = ['// Made by `make types` from the description that the server gives of itself. Do not edit.', '/* oxlint-disable */', ''];

const comment = (text, indent) => (text ? `${indent}/** ${text.replace(/\s+/g, ' ').trim()} */\n` : '');
const union = (parts) => [...new Set(parts)].join(' | ');
const key = (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

/** The fields of an object, one a line. */
function fields(schema, indent) {
  const needed = new Set(schema.required ?? []);
  const lines = Object.entries(schema.properties ?? {}).map(
    ([name, field]) => `${comment(field.description, indent)}${indent}${key(name)}${needed.has(name) ? '' : '?'}: ${type(field, indent)};\n`,
  );
  return lines.join('');
}

/** A page of rows is one generic type. */
const page = (name) => name.replace(/^Paginator_(.+)$/, 'Paginator<$1>');

/** A schema as a type. */
function type(schema, indent = '') {
  if (schema === true || !schema || Object.keys(schema).every((name) => name === 'description')) return 'unknown';
  if (schema.$ref) return page(schema.$ref.split('/').at(-1));
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((value) => JSON.stringify(value)));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return union(choices.map((choice) => type(choice, indent)));
  if (schema.allOf) return schema.allOf.map((part) => type(part, indent)).join(' & ');
  if (Array.isArray(schema.type)) return union(schema.type.map((name) => type({ ...schema, type: name }, indent)));
  switch (schema.type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
    case 'boolean':
    case 'null':
      return schema.type;
    case 'array': {
      if (schema.prefixItems) return `[${schema.prefixItems.map((item) => type(item, indent)).join(', ')}]`;
      const item = type(schema.items ?? {}, indent);
      return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    case 'object':
      if (schema.properties) return `{\n${fields(schema, `${indent}  `)}${indent}}`;
      return `Record<string, ${type(schema.additionalProperties ?? {}, indent)}>`;
    default:
      throw new Error(`a schema that has no form here: ${JSON.stringify(schema)}`);
  }
}

for (const [name, schema] of Object.entries(api.components.schemas).sort(([a], [b]) => (a < b ? -1 : 1))) {
  const row = page(name) !== name && name.replace('Paginator_', '');
  if (row && out.some((text) => text.includes('interface Paginator<T>'))) continue;
  const head = comment(schema.description, '');
  const plain = schema.type === 'object' && schema.properties;
  const body = () => (row ? fields(schema, '  ').replace(`${row}[]`, 'T[]') : fields(schema, '  '));
  out.push(plain ? `${head}export interface ${row ? 'Paginator<T>' : name} {\n${body()}}\n` : `${head}export type ${name} = ${type(schema)};\n`);
}

/** What a call takes: the fields of its form, or of its query. */
function params(operation) {
  const form = operation.requestBody?.content['application/x-www-form-urlencoded']?.schema;
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query' || parameter.in === 'path');
  const schema = form ?? {
    properties: Object.fromEntries(query.map((parameter) => [parameter.name, parameter.schema])),
    required: query.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  };
  return Object.keys(schema.properties).length ? `{\n${fields(schema, '      ')}    }` : 'Record<string, never>';
}

out.push('/** Every call: parameters, payload (`message`) and extra fields (`data`). */', 'export interface Calls {');
for (const [path, methods] of Object.entries(api.paths)) {
  for (const [method, operation] of Object.entries(methods)) {
    const answer = operation.responses['200'].content?.['application/json']?.schema;
    const done = (answer?.anyOf?.[0] ?? answer)?.properties;
    const name = `${method.toUpperCase()} ${path.replace(/^\/api\//, '')}`;
    const message = done ? type(done.message, '    ') : 'string';
    out.push(`  ${JSON.stringify(name)}: {`, `    params: ${params(operation)};`, `    message: ${message};`);
    out.push(`    data: ${done ? type(done.data, '    ') : 'unknown'};`, '  };');
  }
}
out.push('}', '');
process.stdout.write(out.join('\n'));
