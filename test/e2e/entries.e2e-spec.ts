import { execFile } from 'node:child_process';

const run = (entry: string, environment: Record<string, string>) =>
  new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [`dist/src/${entry}.js`], { env: environment }, (error, out, complaints) =>
      resolve({ code: error?.code, said: out + complaints }),
    );
  });

describe('an entry of the build with a wrong environment', () => {
  it.each([
    ['main', 'API_PORT'],
    ['worker', 'WORKER_MANAGEMENT_PORT'],
    ['platform/identity/main', 'IDENTITY_PORT'],
    ['platform/gateway/main', 'GATEWAY_PORT'],
  ])('%s prints one list of all errors and nothing else', async (entry, port) => {
    const { code, said } = await run(entry, { [port]: 'abc', LOG_LEVEL: 'loud' });
    expect(code).toBe(1);
    const [first = '', ...problems] = said.trimEnd().split('\n');
    expect(first).toMatch(
      /^(The business API|The worker|The identity service|The provider gateway) does not run\. The environment is not valid:$/,
    );
    expect(problems.filter((line) => !/^ {2}- [A-Z0-9_]+: \S/.test(line))).toEqual([]);
    const names = problems.map((line) => line.slice(4).split(':')[0]);
    expect(names).toEqual(expect.arrayContaining([port, 'LOG_LEVEL', 'DATABASE_URL']));
    expect(new Set(names).size).toBe(names.length);
  });
});
