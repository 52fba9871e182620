import { existsSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import {
  argumentsOf,
  ENTRIES,
  exampleDefaults,
  problemsOfVariables,
  tableOfVariables,
} from './processes.mjs';

const FILE = 'deploy/compose.yaml';

/** Whether the Compose file runs every process with the variables that it needs, and with no others. */
export function problemsOfCompose() {
  const document = parseDocument(readFileSync(FILE, 'utf8'), { merge: true });
  if (document.errors.length > 0) return document.errors.map(({ message }) => `${FILE}: ${message}`);
  const services = Object.entries(document.toJS({ maxAliasCount: 100 }).services);
  const entries = services.map(([, service]) => ENTRIES[argumentsOf(service)]);
  const missing = Object.values(ENTRIES).filter((entry) => !entries.includes(entry));
  return [
    ...missing.map((entry) => `${FILE}: no service runs ${entry}.`),
    ...services.flatMap(([name, service]) =>
      problemsOfService(name, service, services).map((problem) => `${FILE}: ${name} ${problem}`),
    ),
  ];
}

function problemsOfService(name, { command = [], environment = {}, depends_on = {} }, services) {
  const names = services.map(([other]) => other);
  const unknown = Object.keys(depends_on).filter((other) => !names.includes(other));
  const lost = Object.entries(environment).flatMap(([variable, value]) => {
    if (!/^http:/.test(value)) return [];
    const { hostname } = new URL(value);
    return names.includes(hostname) ? [] : [`sets ${variable} to ${value}, which is no service here.`];
  });
  const entry = ENTRIES[argumentsOf({ command })];
  const script = command[1]?.replace(/^dist\//, '').replace(/\.js$/, '.ts');
  const set = entry ? problemsOfVariables(environment, entry, tableOfVariables(), exampleDefaults()) : [];
  return [
    ...unknown.map((other) => `depends on ${other}, which is no service here.`),
    ...lost,
    ...set.filter((problem) => !/NODE_ENV/.test(problem)), // the image sets it
    ...(script?.endsWith('.ts') && !existsSync(script) ? [`runs ${command[1]}, which does not exist.`] : []),
  ];
}
