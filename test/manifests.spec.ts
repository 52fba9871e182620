import { execFile } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ACCEPT_QUEUE } from '../libs/http/src/service/running-service.js';
import { ScratchRepository } from './support/scratch-repository.js';

const READ = [
  ...['deploy', 'docs/operations.md', '.env.example', 'libs/health/src/health.controller.ts'],
  'libs/http/src/service/running-service.ts',
  ...[
    'src/main.ts',
    'src/worker.ts',
    'src/platform/identity/main.ts',
    'src/platform/gateway/main.ts',
    'src/operator/main.ts',
  ],
];

/** A replacement in a file of deploy/kubernetes, and the problem that it makes. */
type Break = readonly [file: string, from: string, to: string, problem: RegExp];

describe('the check of the Kubernetes manifests', () => {
  let copy: ScratchRepository;

  beforeEach(async () => {
    copy = await ScratchRepository.build([]);
    for (const path of READ) await cp(path, join(copy.folder, path), { recursive: true });
  });
  afterEach(() => copy.tearDown());

  /** @returns the exit status and every line that it printed */
  const check = async (): Promise<{ status: number; lines: string[] }> => {
    const run = promisify(execFile)(process.execPath, [join(process.cwd(), 'scripts/check-manifests.mjs')], {
      cwd: copy.folder,
    });
    const { code, stdout, stderr } = await run.then(
      (printed) => ({ code: 0, ...printed }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
    return { status: code, lines: `${stdout}${stderr}`.trimEnd().split('\n') };
  };

  const breakAll = async (breaks: readonly Break[]): Promise<void> => {
    for (const [name, from, to] of breaks) {
      const file = `deploy/kubernetes/${name}`;
      const text = await readFile(join(copy.folder, file), 'utf8');
      expect(text).toContain(from);
      await copy.write(file, text.replace(from, to));
    }
  };

  const expectProblems = async (breaks: readonly Break[]): Promise<void> => {
    await breakAll(breaks);
    const { status, lines } = await check();
    expect(status).toBe(1);
    for (const [, , , problem] of breaks) expect(lines).toContainEqual(expect.stringMatching(problem));
    const expected = (line: string) => breaks.some(([, , , problem]) => problem.test(line));
    expect(lines.filter((line) => !expected(line))).toEqual([]);
  };

  it('accepts the shipped manifests', async () => {
    expect(await check()).toEqual({
      status: 0,
      lines: [expect.stringMatching(/^\d+ Kubernetes manifests are valid\.$/)],
    });
  });

  it('reports violations of the schemas', () =>
    expectProblems([
      [
        'api.yaml',
        'runAsNonRoot: true',
        'runAsNonRoot: false',
        /api.*runAsNonRoot must be equal to constant/,
      ],
      ['identity.yaml', 'readinessProbe:', 'readyProbe:', /identity.*(required property|additional propert)/],
      ['worker.yaml', 'kind: PodDisruptionBudget', 'kind: PodBudget', /PodBudget|no PodDisruptionBudget/],
      ['worker.yaml', '@sha256:', ':1.0.0@md5:', /worker.*image must match pattern/],
      ['migrate.yaml', 'memory: 256Mi', 'memory: 256 MB', /migrations.*memory must match pattern/],
      ['config.yaml', "TRUST_PROXY_HOPS: '1'", 'TRUST_PROXY_HOPS: 1', /HOPS must be string/],
      ['templates/secrets.yaml', "CURSOR_SECRET: ''", "CURSOR_SECRET: 'abc'", /CURSOR_SECRET must be equal/],
    ]));

  it('reports invalid YAML', () =>
    expectProblems([['api.yaml', 'spec:\n', 'spec:\n  replicas: 2\n', /api.yaml: Map keys must be unique/]]));

  it('reports settings that do not fit the product', () =>
    expectProblems([
      [
        'config.yaml',
        '  PUBLIC_URL: https://identity.example.com\n',
        '',
        /identity does not set PUBLIC_URL,/,
      ],
      ['config.yaml', 'https://api.example.com', 'https://api.example.com\n  LOG_LEVELS: info', /LOG_LEVELS/],
      [
        'config.yaml',
        "TRUST_PROXY_HOPS: '1'",
        "TRUST_PROXY_HOPS: '1'\n  IDENTITY_URL: https://a.example",
        /identity sets IDENTITY_URL, which docs\/operations\.md/,
      ],
      ['config.yaml', '# S3_REGION', '# S3_ZONE', /names S3_ZONE in a comment/],
      [
        'config.yaml',
        ',content-operations-api-internal,content-operations-gateway\n',
        ',content-operations-gateway\n',
        /api-internal is not in IN_CLUSTER_HTTP_HOSTS/,
      ],
      [
        'config.yaml',
        'NODE_ENV: production',
        'NODE_ENV: production\n  ACCESS_TOKEN_SECRET: x',
        /ACCESS_TOKEN_SECRET/,
      ],
      [
        'identity.yaml',
        'containerPort: 3001',
        'containerPort: 3000',
        /identity (has the ports|leads to http 3001)/,
      ],
      ['identity.yaml', 'periodSeconds: 2', 'periodSeconds: 10', /identity notices after 20 s/],
      [
        'network.yaml',
        'name: content-operations-worker\n',
        'name: content-operations-workers\n',
        /selects no pod|worker sets API_INTERNAL_URL .* no NetworkPolicy lets it connect/,
      ],
      [
        'ingress.yaml',
        'name: content-operations-identity\n                port:\n                  name: http',
        'name: content-operations-api-internal\n                port:\n                  name: management',
        /Ingress content-operations leads to content-operations-api-internal management/,
      ],
      ['ingress.yaml', 'hosts: [gateway', 'hosts: [gate', /has no certificate for gateway\.example\.com/],
      ['api.yaml', 'path: /readyz', 'path: /ready', /readinessProbe for \/ready, which nothing serves/],
      [
        'api.yaml',
        'terminationGracePeriodSeconds: 160',
        'terminationGracePeriodSeconds: 140',
        /140 s to end, but needs 150/,
      ],
      ['worker.yaml', 'name: posts_due', 'name: posts_waiting', /follows the metric posts_waiting/],
      ['worker.yaml', 'dist/src/worker.js', 'dist/src/workers.js', /workers\.js|no manifest runs worker/],
      [
        'migrate.yaml',
        'secretRef:\n                name: content-operations-migrations',
        'secretRef:\n                name: none',
        /(names a source that is not here|does not set DATABASE_URL)/,
      ],
    ]));

  it('reports a Compose file that does not fit the product', () =>
    expectProblems([
      [
        '../compose.yaml',
        '  IDENTITY_SERVICE_TOKEN: ${API_TOKEN:?}\n',
        '',
        /compose\.yaml: api does not set IDENTITY_SERVICE_TOKEN/,
      ],
      ['../compose.yaml', 'http://gateway:3003', 'http://gate:3003', /sets GATEWAY_URL .* no service here/],
      [
        '../compose.yaml',
        'dist/src/worker.js',
        'dist/src/workers.js',
        /no service runs worker|workers\.js, which does not exist/,
      ],
      [
        '../compose.yaml',
        '  TRUST_PROXY_HOPS:',
        '  TRUST_PROXIES:',
        /sets TRUST_PROXIES|does not set TRUST_PROXY/,
      ],
    ]));

  it('reports a pod that accepts connections of every other pod', async () => {
    const text = await readFile(join(copy.folder, 'deploy/kubernetes/network.yaml'), 'utf8');
    const withoutShared = text.replaceAll(
      'part-of: content-operations\n  policyTypes',
      'part-of: nothing\n  policyTypes',
    );
    await copy.write('deploy/kubernetes/network.yaml', withoutShared);
    expect((await check()).lines).toContainEqual(
      expect.stringMatching(/worker is selected by no NetworkPolicy/),
    );
  });
});

describe('the Compose file', () => {
  it('lets the kernel give each process the accept queue that it asks for', async () => {
    const { services } = parse(await readFile('deploy/compose.yaml', 'utf8'), { merge: true }) as {
      services: Record<string, { sysctls?: Record<string, number> }>;
    };
    for (const name of ['api', 'gateway', 'identity'])
      expect([name, services[name]?.sysctls?.['net.core.somaxconn']]).toEqual([name, ACCEPT_QUEUE]);
  });
});
