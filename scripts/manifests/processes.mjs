import { existsSync, readFileSync } from 'node:fs';
import { SERVICES } from '../../dist/src/services.js';
import { FOLDER, nameOf, ofKind, variablesOf, workloadsOf } from './read.mjs';

/** The columns of the table of variables in docs/operations.md, by entry. */
export const ENTRIES = {
  'dist/src/operator/main.js migrate': 'migrations',
  ...Object.fromEntries(SERVICES.map(({ entry, slug }) => [`dist/${entry}.js`, slug])),
};
const PORTS = {
  migrations: {},
  ...Object.fromEntries(
    SERVICES.map(({ slug, port, managementPort }) => [
      slug,
      { ...(port && { http: port.variable }), management: managementPort.variable },
    ]),
  ),
};
const SECRET = /TOKEN|SECRET|PEPPER|PASSWORD|DATABASE_URL|ENCRYPTION_KEYS|ADDRESS_KEYS|ACCESS_KEY/;

/** @returns {string} what `node` gets: the entry and its arguments */
export const argumentsOf = ({ command = [] }) => command.slice(1).join(' ');

/** Whether every process is there, with its command, its variables and its ports. */
export function problemsOfProcesses(manifests) {
  const table = tableOfVariables();
  const defaults = exampleDefaults();
  const workloads = workloadsOf(manifests);
  const found = workloads.map(({ container }) => ENTRIES[argumentsOf(container)]);
  const missing = Object.values(ENTRIES).filter((entry) => !found.includes(entry));
  return [
    ...missing.map((entry) => `${FOLDER}: no manifest runs ${entry}.`),
    ...workloads.flatMap((workload) => problemsOfWorkload(workload, manifests, { table, defaults })),
    ...ofKind(manifests, 'ConfigMap').flatMap(problemsOfConfigMap),
    ...unknownComments(manifests, defaults),
  ];
}

function problemsOfWorkload(workload, manifests, { table, defaults }) {
  const { container } = workload;
  const [program, script] = container.command;
  const entry = ENTRIES[argumentsOf(container)];
  const source = script?.replace(/^dist\//, '').replace(/\.js$/, '.ts');
  if (program !== 'node' || !entry || !existsSync(source))
    return [
      `${nameOf(workload)} runs "${container.command.join(' ')}", which docs/operations.md does not name.`,
    ];
  const set = variablesOf(container, manifests);
  const problems = [
    ...problemsOfVariables(set, entry, table, defaults),
    ...problemsOfPorts(container, entry, { ...defaults, ...set }),
  ];
  return problems.map((problem) => `${nameOf(workload)} ${problem}`);
}

export function problemsOfVariables(set, entry, table, defaults) {
  const names = Object.keys(set);
  const missing = [...table].filter(([name, marks]) => marks[entry] === '✓' && !names.includes(name));
  const foreign = names.filter((name) => table.has(name) && !table.get(name)[entry]);
  const unknown = names.filter((name) => !(name in defaults));
  return [
    ...missing.map(([name]) => `does not set ${name}, which docs/operations.md marks as needed.`),
    ...foreign.map((name) => `sets ${name}, which docs/operations.md does not give to it.`),
    ...unknown.map((name) => `sets ${name}, which .env.example does not list.`),
  ];
}

function problemsOfPorts(container, entry, values) {
  const wanted = Object.entries(PORTS[entry]).map(([name, variable]) => `${name} ${values[variable]}`);
  const declared = (container.ports ?? []).map(({ name, containerPort }) => `${name} ${containerPort}`);
  if (wanted.sort().join() === declared.sort().join()) return [];
  return [`has the ports [${declared.join(', ')}], but listens on [${wanted.join(', ')}].`];
}

function problemsOfConfigMap(manifest) {
  return Object.keys(manifest.body.data)
    .filter((name) => SECRET.test(name))
    .map((name) => `${nameOf(manifest)} holds ${name}, which belongs into a Secret.`);
}

/** Optional settings in comments. */
function unknownComments(manifests, defaults) {
  return [...new Set(manifests.map(({ file }) => file))].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^\s*# ([A-Z][A-Z0-9_]+):/gm)]
      .filter(([, name]) => !(name in defaults))
      .map(([, name]) => `${file} names ${name} in a comment, which .env.example does not list.`),
  );
}

/** @returns {Map<string, Record<string, string>>} per variable the mark of each process: ✓, (✓) or nothing */
export function tableOfVariables() {
  const lines = readFileSync('docs/operations.md', 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith('| Needed in'));
  const cells = (line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
  const [head, , ...rows] = lines.slice(from, lines.indexOf('', from)).map(cells);
  return new Map(
    rows.flatMap(([names, ...marks]) =>
      [...names.matchAll(/`(\w+)`/g)].map(([, name]) => [
        name,
        Object.fromEntries(marks.map((mark, index) => [head[index + 1], mark])),
      ]),
    ),
  );
}

/** @returns {Record<string, string>} every variable of the product with its default */
export function exampleDefaults() {
  const lines = readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z][A-Z0-9_]+)=(.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}
