import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Machine } from '../support/boot-embedded.js';
import { ask } from '../support/call.js';
import { documentOfTheForms, type FormOperation } from '../support/forms.js';

const PARTS = ['API_PORT', 'GATEWAY_PORT', 'IDENTITY_PORT'] as const;

/** They need an id, a secret or a parameter that no list has. */
const NEED_MORE = [
  'get /api/integrations/{platform}/callback',
  'post /api/auth/refresh',
  'post /api/auth/revoke',
  'put /api/auth/me/password',
  'put /api/organizations/{organizationId}/members/{userId}/permission-overrides',
  'put /api/pipeline/{contactId}/move',
  'put /api/pipeline/{pipelineId}/stages',
];

const countOf = (pressed: readonly Pressed[]): number => pressed.filter(({ status }) => status < 400).length;

interface Pressed {
  readonly name: string;
  readonly status: number;
  readonly text: string;
}

describe('the forms of Swagger UI on one machine', () => {
  let machine: Machine;
  let credentials: Record<string, string>;

  beforeAll(async () => {
    machine = await Machine.make();
    await machine.start().ready();
    const read = async (file: string) =>
      JSON.parse(await readFile(join(machine.folder, '.data', file), 'utf8')) as Record<string, string>;
    const [{ email, password }, secrets] = [await read('demo.json'), await read('secrets.json')];
    const login = await ask(`${urlOf('IDENTITY_PORT')}/api/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    credentials = { BearerAuth: `Bearer ${login.body.accessToken}`, ...tokensIn(secrets) };
  });
  afterAll(() => machine.tearDown());

  const urlOf = (part: (typeof PARTS)[number]) => `http://127.0.0.1:${machine.ports[part]}`;
  const tokensIn = ({ GATEWAY_SERVICE_TOKEN = '', IDENTITY_SERVICE_TOKEN = '' }: Record<string, string>) => ({
    [urlOf('GATEWAY_PORT')]: GATEWAY_SERVICE_TOKEN,
    [urlOf('IDENTITY_PORT')]: IDENTITY_SERVICE_TOKEN,
  });

  /** Presses "Try it out" and "Execute" of each operation of these methods. */
  const press = async (methods: readonly string[]): Promise<Pressed[]> => {
    const pressed: Pressed[] = [];
    for (const url of PARTS.map(urlOf)) {
      const { paths } = await documentOfTheForms(url);
      for (const [path, operations] of Object.entries(paths))
        for (const method of methods.filter((one) => one in operations)) {
          if (path === '/api/auth/logout') continue;
          const { status, text } = await execute(url, method, path, operations[method] as FormOperation);
          pressed.push({ name: `${method} ${path}`, status, text });
        }
    }
    return pressed;
  };

  const execute = (url: string, method: string, path: string, operation: FormOperation) => {
    const { parameters = [], security = [], requestBody } = operation;
    const headers: Record<string, string> = {};
    const query = new URLSearchParams();
    let address = path;
    for (const { name, in: place, example, schema } of parameters) {
      const value = example ?? schema?.default;
      if (value === undefined) continue;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(text));
      else if (place === 'header') headers[name] = text;
      else query.set(name, text);
    }
    for (const scheme of security.flatMap(Object.keys)) {
      if (scheme === 'BearerAuth') headers.authorization = credentials.BearerAuth ?? '';
      if (scheme === 'ServiceTokenAuth') headers['x-service-token'] = credentials[url] ?? '';
    }
    const example = requestBody?.content['application/json']?.example;
    if (example !== undefined) headers['content-type'] = 'application/json';
    return ask(`${url}${address}?${query.toString()}`, {
      method: method.toUpperCase(),
      headers,
      body: example === undefined ? undefined : JSON.stringify(example),
      redirect: 'manual',
    });
  };

  it('work for many operations at once, and for most with what they created', async () => {
    const fresh = await press(['post', 'get', 'put', 'patch']);
    const used = [...(await press(['post', 'get', 'put', 'patch'])), ...(await press(['delete']))];
    expect(countOf(fresh)).toBeGreaterThan(95);
    expect(countOf(used)).toBeGreaterThan(used.length / 2);
    const malformed = [...fresh, ...used].filter(({ text }) => text.includes('"code":"validation_failed"'));
    expect([...new Set(malformed.map(({ name }) => name))].sort()).toEqual(NEED_MORE);
  });
});
