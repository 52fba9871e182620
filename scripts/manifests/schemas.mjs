import { existsSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { FOLDER } from './read.mjs';

const KINDS = [
  ...['Deployment', 'Job', 'Service', 'PodDisruptionBudget', 'HorizontalPodAutoscaler'],
  ...['NetworkPolicy', 'Ingress'],
];

export function problemsOfSchemas(manifests) {
  const ajv = new Ajv({ allErrors: true, strict: true, strictRequired: false });
  const found = new Set(manifests.map(({ body }) => body?.kind));
  const missing = KINDS.filter((kind) => !found.has(kind)).map((kind) => `${FOLDER}: there is no ${kind}.`);
  return [...missing, ...manifests.flatMap((manifest) => problemsOf(manifest, ajv))];
}

function problemsOf({ file, body, problems }, ajv) {
  if (problems.length > 0) return problems.map((problem) => `${file}: ${problem}`);
  const schema = `${FOLDER}/schemas/${body?.kind}.json`;
  if (!/^\w+$/.test(body?.kind) || !existsSync(schema))
    return [`${file}: the kind ${body?.kind} has no schema ${schema}.`];
  const read = () => JSON.parse(readFileSync(schema, 'utf8'));
  const validate = ajv.getSchema(schema) ?? ajv.addSchema(read(), schema).getSchema(schema);
  if (validate(body)) return [];
  return validate.errors.map(
    ({ instancePath, message, params }) =>
      `${file}: ${body.kind} ${body.metadata?.name} ${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
  );
}
