import { createServer, type Server } from 'node:net';
import { once } from 'node:events';
import { type Environment, loadConfig } from '#libs/config';
import { EmbeddedConfig } from './embedded.config.js';
import { freePort, refusalFor, assertPortsUsable } from './ports.js';
import { Refusal } from './refusal.js';

describe('the ports of the start on one machine', () => {
  let free: Record<string, string>;
  let used: Server | undefined;

  beforeEach(async () => {
    const names = [
      'API',
      'API_MANAGEMENT',
      'WORKER_MANAGEMENT',
      'IDENTITY',
      'IDENTITY_MANAGEMENT',
      'SANDBOX',
    ];
    const ports = new Set<number>();
    while (ports.size < names.length) ports.add(await freePort());
    free = Object.fromEntries([...ports].map((port, index) => [`${names[index]}_PORT`, String(port)]));
  });
  afterEach(() => used?.close());

  const refuse = (given: Environment = {}) => {
    const environment = { ...free, ...given };
    return assertPortsUsable(environment, loadConfig(EmbeddedConfig, environment));
  };
  const use = async (name: string) => {
    used = createServer().listen(Number(free[name]), '127.0.0.1');
    await once(used, 'listening');
  };

  it('are taken when they are free', async () => {
    await expect(refuse()).resolves.toBeUndefined();
  });

  it('are named when something uses them', async () => {
    await use('IDENTITY_MANAGEMENT_PORT');
    await expect(refuse()).rejects.toThrow(/^Port \d+ is in use\..* IDENTITY_MANAGEMENT_PORT=\d+ npm start$/);
  });

  it('do not matter where the part runs elsewhere', async () => {
    await use('IDENTITY_PORT');
    await expect(refuse({ IDENTITY_URL: 'http://127.0.0.1:3001' })).resolves.toBeUndefined();
    await expect(refuse({ X_API_URL: 'https://api.x.com' })).rejects.toThrow(Refusal);
  });

  it.each(['IDENTITY_PORT', 'WORKER_MANAGEMENT_PORT', 'SANDBOX_PORT'])(
    'must not be the same: API_PORT and %s',
    async (name) => {
      await expect(refuse({ [name]: free.API_PORT })).rejects.toThrow(
        new RegExp(`API_PORT and ${name} are both ${free.API_PORT}\\. .*${name}=\\d+ npm start$`),
      );
    },
  );

  it('are not blamed for an address that is not of this machine', async () => {
    // Kept for documentation (RFC 5737).
    await expect(refuse({ HOST: '192.0.2.1' })).rejects.toThrow(
      /^HOST is 192\.0\.2\.1, which is no address of this machine\./,
    );
  });

  it('are not said to be in use where the system keeps them, and the other one is a port', () => {
    const denied = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
    expect(refusalFor(denied, { name: 'API_PORT', port: 80, host: '127.0.0.1' }).message).toBe(
      'The system lets no program of yours use port 80. Choose another one: API_PORT=20080 npm start',
    );
    expect(refusalFor(denied, { name: 'API_PORT', port: 50_000, host: '127.0.0.1' }).message).toMatch(
      /API_PORT=30000 npm start$/,
    );
  });

  it('leave unknown values unchanged', () => {
    const strange = Object.assign(new Error('listen EMFILE'), { code: 'EMFILE' });
    expect(refusalFor(strange, { name: 'API_PORT', port: 80, host: '127.0.0.1' })).toBe(strange);
  });
});
