import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { SERVICES } from '../../src/services.js';
import { bootGateway } from '../support/boot-gateway.js';
import { bootIdentity } from '../support/boot-identity.js';
import { BusinessApi } from '../support/business-api.js';

const FILES = Object.fromEntries(
  SERVICES.flatMap(({ slug, openapi }) => (openapi === undefined ? [] : [[slug, openapi]])),
);
const WRITES = process.env.WRITE_OPENAPI === 'yes';

const served = async (url: string) => (await fetch(`${url}/openapi.json`)).text();

/** A linter computes for tens of seconds, on a busy machine for minutes. */
const LONGEST_LINT_MS = 600_000;

/** Returns everything that the script prints. */
const runScript = (script: string, args: readonly string[]) =>
  new Promise<string>((resolve) => {
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', CI: 'true', NO_COLOR: '1' };
    const all = [`node_modules/${script}`, ...args];
    execFile(process.execPath, all, { env }, (_, out, problems) => resolve(out + problems));
  });

/** Everything a linter says about the committed documents. */
const lint = (script: string, args: readonly string[]) =>
  runScript(script, ['lint', ...Object.values(FILES), ...args]);

describe('the documents that the services serve', () => {
  const documents: Record<string, string> = {};

  beforeAll(async () => {
    const api = await BusinessApi.start({ PUBLIC_URL: 'http://127.0.0.1:3000' });
    documents.api = await served(api.service.url);
    await api.stop();
    const identity = await bootIdentity({ PUBLIC_URL: 'http://127.0.0.1:3001' });
    documents.identity = await served(identity.service.url);
    await identity.close();
    const gateway = await bootGateway('http://127.0.0.1:1');
    documents.gateway = await served(gateway.service.url);
    await gateway.close();
    if (!WRITES) return;
    await mkdir('docs/openapi', { recursive: true });
    for (const [name, file] of Object.entries(FILES)) await writeFile(file, documents[name] ?? '');
    await runScript('prettier/bin/prettier.cjs', ['--write', ...Object.values(FILES)]);
  });

  it.each(Object.entries(FILES))(
    '%s is the committed one (npm run openapi writes it anew)',
    async (name, file) => {
      expect(JSON.parse(documents[name] ?? '')).toEqual(JSON.parse(await readFile(file, 'utf8')));
    },
  );

  it(
    'satisfy the rules of Spectral',
    async () => {
      const said = await lint('@stoplight/spectral-cli/dist/index.js', [
        '--ruleset',
        '.spectral.yaml',
        '--display-only-failures',
        '--fail-severity',
        'hint',
      ]);
      expect(said.trim()).toBe("No results with a severity of 'hint' or higher found!");
    },
    LONGEST_LINT_MS,
  );

  it(
    'satisfy the recommended rules of Redocly, but for the exceptions in its configuration',
    async () => {
      const said = await lint('@redocly/cli/bin/cli.js', ['--config', 'redocly.yaml']);
      expect(said).toContain('Your API descriptions are valid');
      expect(said).not.toMatch(/You have \d+ warning/);
    },
    LONGEST_LINT_MS,
  );
});
