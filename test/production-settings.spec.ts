import { readFileSync } from 'node:fs';
import { Logger } from '@nestjs/common';
import type { ConfigIsInvalid, Environment } from '#libs/config';
import { loadService } from '#libs/http';
import { productionNeeds } from '../local/environments.js';
import { networkAddresses, networkCredentials } from '../local/networks.js';
import { apiService } from '../src/api/service.js';
import { migrate } from '../src/operator/apply-migrations.js';
import { SERVICES } from '../src/services.js';

const key = Buffer.alloc(32, 7).toString('base64');

/** Something that may stand in each. */
const SAMPLES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'postgres://database.example/business',
  IDENTITY_DATABASE_URL: 'postgres://database.example/identity',
  CURSOR_SECRET: 'sixteen and more characters',
  TRUST_PROXY_HOPS: '0',
  PUBLIC_URL: 'https://api.example.com',
  CORS_ORIGINS: 'https://app.example.com',
  IDENTITY_PEPPERS: `1:${key}`,
  IDENTITY_SERVICE_TOKENS: 'api:thirty-two-and-more-random-characters',
  IDENTITY_SERVICE_TOKEN: 'thirty-two-and-more-random-characters',
  GATEWAY_DATABASE_URL: 'postgres://database.example/gateway',
  GATEWAY_SERVICE_TOKENS: 'social-publishing:thirty-two-and-more-random-characters',
  GATEWAY_SERVICE_TOKEN: 'thirty-two-and-more-random-characters',
  GATEWAY_ENCRYPTION_KEYS: `first:${key}`,
  GATEWAY_URL: 'https://gateway.example.com',
  YOUTUBE_PROJECT: 'acme-publishing',
  YOUTUBE_QUOTA_TABLE: 'units',
  YOUTUBE_UPLOADS_PER_DAY: '1000',
  YOUTUBE_UNITS_PER_DAY: '1000000',
  PAYMENT_RETURN_ORIGINS: 'https://app.example.com',
  PAYMENT_RELAY_URLS: 'marketing=https://marketing.example.com/payment-events',
  PAYMENT_RELAY_SECRETS: `marketing=whsec_${key}`,
  IDENTITY_URL: 'https://identity.example.com',
  API_INTERNAL_URL: 'https://api.internal:9000',
  IN_CLUSTER_HTTP_HOSTS: 'identity.internal, api.internal, objects.internal',
  INTERNAL_SERVICE_TOKEN: 'thirty-two and more random characters',
  ENCRYPTION_KEYS: `first:${key}`,
  MEDIA_ADDRESS_KEYS: `first:${key}`,
  MEDIA_PUBLIC_URL: 'https://media.example.com',
  API_DOCS: 'true',
  S3_BUCKET: 'bucket',
  S3_REGION: 'eu-central-1',
  S3_ENDPOINT: 'https://objects.example.com',
  S3_PUBLIC_ENDPOINT: 'https://files.example.com',
  S3_FORCE_PATH_STYLE: 'true',
  S3_ACCESS_KEY_ID: 'id',
  S3_SECRET_ACCESS_KEY: 'secret',
  OPERATOR_ORGANIZATION_ID: '019a0000-0000-7000-8000-000000000001',
  ...Object.fromEntries(networkCredentials().map((name) => [name, 'credential'])),
};

/** The table of docs/operations.md: of each process the variables that it needs, and those that it may need. */
function tableOfVariables(): Map<string, { readonly needed: string[]; readonly optional: string[] }> {
  const lines = readFileSync('docs/operations.md', 'utf8').split('\n');
  const from = lines.findIndex((line) => line.startsWith('| Needed in'));
  const rows = lines.slice(from, lines.indexOf('', from)).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
  const [[, ...head] = [], , ...body] = rows;
  const named = (column: number, mark: string) =>
    body
      .filter((cells) => cells[column] === mark)
      .flatMap(([names = '']) => [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
  const processes = head.filter((name) => name !== '');
  return new Map(
    processes.map((name, index) => [
      name,
      { needed: named(index + 1, '✓'), optional: named(index + 1, '(✓)') },
    ]),
  );
}

const environmentOf = (names: readonly string[]): Environment => ({
  NODE_ENV: 'production',
  ...Object.fromEntries(names.map((name) => [name, SAMPLES[name]])),
});

const described = await Promise.all(
  SERVICES.map(async (service) => [service.slug, await loadService(service)] as const),
);
const describeApi = await loadService(apiService);

describe('the required settings of production in docs/operations.md', () => {
  const table = tableOfVariables();
  // Modules complain that there is more than one of them.
  beforeAll(() => Logger.overrideLogger(false));
  const variablesOf = (process: string) => table.get(process) ?? { needed: [], optional: [] };

  describe.each(described)('for the %s', (name, describeIt) => {
    const { needed, optional } = variablesOf(name);

    it('are sufficient, and optional settings are accepted', () => {
      expect(needed.length).toBeGreaterThan(3);
      expect(() => describeIt(environmentOf(needed))).not.toThrow();
      expect(() => describeIt(environmentOf([...needed, ...optional]))).not.toThrow();
    });

    it.each(needed)('are all required: without %s it does not start, and reports it', (missing) => {
      const without = environmentOf(needed.filter((variable) => variable !== missing));
      expect(() => describeIt(without)).toThrow(
        new RegExp(`^The environment is not valid:\\n {2}- ${missing}: must be [^\\n]+$`),
      );
    });

    it('are all reported when none is set', () => {
      const named: string[] = [];
      try {
        describeIt(environmentOf([]));
      } catch (error) {
        named.push(...(error as ConfigIsInvalid).problems.map((problem) => problem.split(':')[0] ?? ''));
      }
      expect(named.sort()).toEqual([...needed].sort());
    });
  });

  it('require https, except for listed hosts within the cluster', () => {
    const { needed, optional } = variablesOf('api');
    const http = {
      PUBLIC_URL: 'http://api.example.com',
      MEDIA_PUBLIC_URL: 'http://media.example.com',
      S3_PUBLIC_ENDPOINT: 'http://objects.internal:9000',
      ...Object.fromEntries(networkAddresses().map((name) => [name, 'http://network.example/path'])),
      IDENTITY_URL: 'http://identity.internal:3001',
      API_INTERNAL_URL: 'http://api.internal:9000',
      S3_ENDPOINT: 'http://objects.internal:9000',
      GATEWAY_URL: 'http://gateway.internal:3003',
    };
    const refused = (listed: string) => {
      try {
        describeApi({ ...environmentOf([...needed, ...optional]), ...http, IN_CLUSTER_HTTP_HOSTS: listed });
        return [];
      } catch (error) {
        return (error as ConfigIsInvalid).problems.map(
          (problem) => problem.split(' must begin with https')[0],
        );
      }
    };
    const outside = ['PUBLIC_URL', 'MEDIA_PUBLIC_URL', 'S3_PUBLIC_ENDPOINT', ...networkAddresses()]
      .map((name) => `${name}:`)
      .sort();
    const inside = ['API_INTERNAL_URL:', 'GATEWAY_URL:', 'IDENTITY_URL:', 'S3_ENDPOINT:'];
    expect(refused('').sort()).toEqual([...inside, ...outside].sort());
    expect(refused('elsewhere.internal,network.example').sort()).toEqual([...inside, ...outside].sort());
    expect(refused('identity.internal, API.internal,objects.internal,gateway.internal').sort()).toEqual(
      outside,
    );
  });

  it('are required by the migrations', async () => {
    expect(variablesOf('migrations').needed).toEqual(['DATABASE_URL']);
    await expect(migrate(environmentOf([]))).rejects.toThrow('DATABASE_URL: must be set');
  });

  it('give each process only its own secrets', () => {
    const holders = (variable: string) =>
      [...table]
        .filter(([, { needed, optional }]) => [...needed, ...optional].includes(variable))
        .map(([name]) => name);
    for (const name of networkCredentials()) expect([name, holders(name)]).toEqual([name, ['api']]);
    expect(holders('IDENTITY_PEPPERS')).toEqual(['identity']);
    expect(holders('ENCRYPTION_KEYS')).toEqual(['api', 'worker']);
    expect(holders('MEDIA_ADDRESS_KEYS')).toEqual(['api', 'worker']);
  });

  it('are required by the embedded start too', () => {
    // Production has defaults for the addresses of networks.
    const known = [...variablesOf('api').needed, ...networkAddresses()];
    expect(productionNeeds().filter((name) => !known.includes(name))).toEqual([]);
  });
});
