import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Machine } from '../support/boot-embedded.js';
import { freePort } from '../../local/ports.js';

const run = promisify(execFile);

/** The folder of a platform service as the build holds it. */
const FOLDER = {
  'service.js': `
    export const fictionalService = {
      slug: 'fictional',
      title: 'Fictional service',
      entry: 'src/platform/fictional/main',
      port: { variable: 'FICTIONAL_PORT', default: 3999 },
      managementPort: { variable: 'FICTIONAL_MANAGEMENT_PORT', default: 9999 },
      databaseVariable: 'FICTIONAL_DATABASE_URL',
      urlVariable: 'FICTIONAL_URL',
      secrets: { FICTIONAL_KEYS: 'key', FICTIONAL_SERVICE_TOKEN: 'token' },
      callers: { send: 'FICTIONAL_SERVICE_TOKEN', accept: 'FICTIONAL_SERVICE_TOKENS' },
      describe: async () => (await import('./start.js')).describeFictional,
      migrations: async () => (await import('./start.js')).fictionalMigrations,
    };`,
  'start.js': `
    import { Controller, Get, Inject, Module } from '@nestjs/common';
    import { EnvironmentModule } from '#libs/config';
    import { Database, DatabaseModule } from '#libs/database';
    import { DatabaseCheck, HealthModule } from '#libs/health';

    class Fictional1900000000000 {
      name = 'Fictional1900000000000';
      up = (runner) => runner.query('CREATE TABLE fictional_tale AS SELECT 1 AS chapter');
      down = (runner) => runner.query('DROP TABLE fictional_tale');
    }
    export const fictionalMigrations = [Fictional1900000000000];

    class TalesController {
      constructor(database) { this.database = database; }
      list() { return this.database.query('SELECT chapter FROM fictional_tale'); }
    }
    Inject(Database)(TalesController, undefined, 0);
    Get()(TalesController.prototype, 'list', Object.getOwnPropertyDescriptor(TalesController.prototype, 'list'));
    Controller('api/tales')(TalesController);
    class FictionalModule {}
    Module({ controllers: [TalesController] })(FictionalModule);

    export const describeFictional = (environment, database) => {
      const { FICTIONAL_KEYS, FICTIONAL_SERVICE_TOKENS } = environment;
      if (!/^1:/.test(FICTIONAL_KEYS) || !/^[-a-z]+:/.test(FICTIONAL_SERVICE_TOKENS)) throw new Error('It has no secrets.');
      return {
        module: {
          module: FictionalModule,
          imports: [
            EnvironmentModule.forRoot(environment),
            DatabaseModule.forRoot(database, fictionalMigrations),
            HealthModule.forRoot({ checks: [DatabaseCheck] }),
          ],
        },
      };
    };`,
  'main.js': `
    import { runOnSupportedNode } from '#libs/runtime';
    import { fictionalService } from './service.js';

    await runOnSupportedNode(async () => (await import('#libs/http')).runService(fictionalService));`,
};

describe('a platform service that is added by its folder and one line', () => {
  let copy: string;
  let machine: Machine;

  beforeAll(async () => {
    copy = await mkdtemp(join(tmpdir(), 'fictional-service-'));
    for (const path of ['dist', 'package.json', '.env.example', 'scripts'])
      await cp(path, join(copy, path), { recursive: true });
    await symlink(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
    const folder = join(copy, 'dist/src/platform/fictional');
    await mkdir(folder);
    for (const [name, text] of Object.entries(FOLDER)) await writeFile(join(folder, name), text);
    const list = join(copy, 'dist/src/services.js');
    const line = `import { fictionalService } from './platform/fictional/service.js';\n`;
    const text = await readFile(list, 'utf8');
    const longer = text.replace(/(gatewayService),?\s*\]/, '$1, fictionalService]');
    expect(longer).not.toBe(text);
    await writeFile(list, line + longer);
    machine = await Machine.make();
  });
  afterAll(async () => {
    await machine.tearDown();
    await rm(copy, { recursive: true, force: true });
  });

  it('starts with the others on one machine, with its migrations, secrets and address', async () => {
    const ports = { FICTIONAL_PORT: await freePort(), FICTIONAL_MANAGEMENT_PORT: await freePort() };
    const variables = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
    const start = await machine.start(['--empty'], variables, join(copy, 'dist/local/main.js')).ready();
    const url = `http://127.0.0.1:${ports.FICTIONAL_PORT}`;
    expect(start.output).toMatch(new RegExp(`^ {2}Fictional service +${url}/docs$`, 'm'));
    expect(await (await fetch(`${url}/api/tales`)).json()).toEqual([{ chapter: 1 }]);
    expect((await fetch(`http://127.0.0.1:${ports.FICTIONAL_MANAGEMENT_PORT}/readyz`)).status).toBe(200);
    const command = join(copy, 'cmdline');
    await writeFile(command, ['node', 'dist/src/platform/fictional/main.js', ''].join('\0'));
    const check = () =>
      run(process.execPath, ['scripts/healthcheck.mjs', command], { cwd: copy, env: variables });
    await expect(check()).resolves.toBeDefined();
    expect(await start.end('SIGTERM')).toBe(0);
    await expect(check()).rejects.toMatchObject({ code: 1 });
  });
});
