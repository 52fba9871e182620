import { readFile, writeFile } from 'node:fs/promises';
import { variablesOf } from '#libs/config';
import { NETWORKS } from '../src/integrations/networks.js';
import type { NetworkDeclaration } from '../src/integrations/providers/network.declaration.js';

/** Written by `npm run docs:networks`; in every other run the files are compared with it. */
const writes = process.env.WRITE_NETWORKS === 'yes';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const code = (texts: readonly string[]): string => texts.map((text) => `\`${text}\``).join(', ');

/** docs/networks.md */
function page(): string {
  const rows = NETWORKS.map(({ platform, displayName, connector }) => {
    const variables = connector ? variablesOf(connector.config).map(({ name }) => name) : [];
    const redirect = connector ? code([`{PUBLIC_URL}/api/integrations/${platform}/callback`]) : '';
    const addresses = Object.entries(connector?.sandbox.addresses ?? {});
    const paths = addresses.map(([, path]) => path);
    return [
      `\`${platform}\``,
      displayName,
      connector ? '' : 'planned',
      code(variables),
      redirect,
      code(paths),
    ];
  });
  const head = [
    'Platform',
    'Network',
    'State',
    'Variables',
    'Redirect address to register',
    'In the sandbox',
  ];
  return [
    '# Networks',
    '',
    'Written by `npm run docs:networks` from what each network declares in `src/integrations/networks.ts`. A network is one folder under',
    '`src/integrations/providers` and one line in that file. Posts for a planned network can be drafted; its accounts cannot be connected.',
    'The provider implements `PublishingProvider` (`src/integrations/provider.types.ts`) and passes `test/integration/provider-of-<platform>.int-spec.ts`.',
    '',
    row(head),
    row(head.map(() => '---')),
    ...rows.map(row),
    '',
  ].join('\n');
}

/** The part of .env.example that belongs to networks, as it stands there. */
function variables(): string {
  const configs = new Set(NETWORKS.flatMap(({ connector }) => connector?.config ?? []));
  return [...configs]
    .flatMap((config) => variablesOf(config))
    .map(({ name, description, default: value = '' }) => `# ${description}\n# ${name}=${value}\n`)
    .join('\n');
}

const SECTION = /(?<=# --- Each network ---\n\n)[^]*?(?=\n# --- )/;

/** Variables that an operator sets for a network: those without a default. */
const withoutDefault = (networks: readonly NetworkDeclaration[]): string[] =>
  networks
    .flatMap(({ connector }) => (connector ? variablesOf(connector.config) : []))
    .filter((variable) => variable.default === undefined)
    .map(({ name }) => name);

/** Which of the names the table of docs/operations.md does not give to the API. */
function undocumented(names: readonly string[], operations: string): string[] {
  const rows = operations.split('\n').filter((line) => line.startsWith('| `'));
  const ofApi = rows.filter((line) => /✓/.test(line.split('|')[5] ?? '')).join('\n');
  return names.filter((name) => !ofApi.includes(`\`${name}\``));
}

/** Which of the names the Secret of the API, and no other one, does not have. */
function withoutSecret(names: readonly string[], secrets: string): string[] {
  const holders = (name: string) =>
    secrets
      .split('\n---\n')
      .filter((document) => document.includes(`# ${name}: ''`))
      .map((document) => /name: (\S+)/.exec(document)?.[1]);
  return names.filter((name) => holders(name).join() !== 'content-operations-api');
}

describe('the documentation of networks', () => {
  it('has their variables in the table of docs/operations.md and in the Secret of the API', async () => {
    const operations = await readFile('docs/operations.md', 'utf8');
    const secrets = await readFile('deploy/kubernetes/templates/secrets.yaml', 'utf8');
    const names = withoutDefault(NETWORKS);
    expect(names.length).toBeGreaterThan(0);
    expect(undocumented(names, operations)).toEqual([]);
    expect(withoutSecret(names, secrets)).toEqual([]);
    const added = ['A_NEW_CLIENT_ID'];
    expect(undocumented(added, operations)).toEqual(added);
    expect(withoutSecret(added, secrets)).toEqual(added);
  });

  it('lists what they declare', async () => {
    const written = await readFile('docs/networks.md', 'utf8').catch(() => '');
    const cells = (text: string) => text.replaceAll(/ +\|/g, ' |').replaceAll(/-+/g, '-');
    if (writes) await writeFile('docs/networks.md', page());
    else expect(cells(written)).toBe(cells(page()));
  });

  it('has their variables in .env.example', async () => {
    const example = await readFile('.env.example', 'utf8');
    if (writes) await writeFile('.env.example', example.replace(SECTION, variables()));
    else expect(SECTION.exec(example)?.[0]).toBe(variables());
  });
});

describe('the provider of a network', () => {
  const connectable = NETWORKS.flatMap(({ platform, connector }) => (connector ? [platform] : []));

  it.each(connectable)('of %s passes the contract of all providers', async (platform) => {
    const contract = await readFile(`test/integration/provider-of-${platform}.int-spec.ts`, 'utf8');
    expect(contract).toMatch(/^providerContract\('/m);
  });
});
