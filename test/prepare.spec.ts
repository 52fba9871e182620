import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ScratchRepository } from './support/scratch-repository.js';
import { waitUntil } from './support/wait-until.js';

const run = promisify(execFile);
const SETTINGS = [
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'nest-cli.json',
];

describe('the preparation of start, test, check and bench', () => {
  let repository: ScratchRepository;

  const prepare = () =>
    run(process.execPath, ['scripts/prepare.mjs'], { cwd: repository.folder }).then(({ stdout }) => stdout);
  const isBuilt = (file: string) => existsSync(join(repository.folder, 'dist', file));

  beforeAll(async () => {
    repository = await ScratchRepository.build(SETTINGS);
    await cp('scripts', join(repository.folder, 'scripts'), { recursive: true });
    await repository.write('ormconfig.ts', 'export {};\n');
    await repository.write('src/first.ts', 'export const first = 1;\n');
  });

  afterAll(() => repository.tearDown());

  it('builds only after a change', async () => {
    expect(await prepare()).toBe('Building …\n');
    expect(isBuilt('src/first.js')).toBe(true);
    expect(await prepare()).toBe('');
  });

  it('removes the output of a deleted source', async () => {
    await rm(join(repository.folder, 'src/first.ts'));
    await repository.write('src/second.ts', 'export const second = 2;\n');
    await prepare();
    expect([isBuilt('src/first.js'), isBuilt('src/second.js')]).toEqual([false, true]);
  });

  it('builds missing output, independent of the compiler’s cache', async () => {
    await rm(join(repository.folder, 'dist/src/second.js'));
    expect(await prepare()).toBe('Building …\n');
    expect(isBuilt('src/second.js')).toBe(true);
  });

  it('serializes concurrent starts, and takes over the lock of a killed one', async () => {
    await repository.write('src/third.ts', 'export const third = 3;\n');
    const answers = await Promise.all([prepare(), prepare()]);
    expect(answers.filter((text) => text.includes('Building'))).toHaveLength(1);
    await mkdir(join(repository.folder, '.data'), { recursive: true });
    await writeFile(join(repository.folder, '.data/preparing'), '999999999');
    expect(await prepare()).toBe('');
    expect(existsSync(join(repository.folder, '.data/preparing'))).toBe(false);
  });

  it('releases its own lock only, once', async () => {
    const script = `
      import { writeFileSync } from 'node:fs';
      import { withLock } from './scripts/prepare/lock.mjs';
      await withLock(async () => {});
      writeFileSync('.data/preparing', 'somebody else', { flag: 'wx' });`;
    await run(process.execPath, ['--input-type=module', '-e', script], { cwd: repository.folder });
    expect(existsSync(join(repository.folder, '.data/preparing'))).toBe(true);
    await rm(join(repository.folder, '.data/preparing'));
  });

  it('fails with the compiler’s message and builds again next time', async () => {
    await repository.write('src/third.ts', 'export const third: string = 3;\n');
    await expect(prepare()).rejects.toMatchObject({
      stderr: expect.stringMatching(/third\.ts[\s\S]*The build failed/),
    });
    await repository.write('src/third.ts', 'export const third = 3;\n');
    expect(await prepare()).toBe('Building …\n');
  });

  describe('with installed packages', () => {
    const script = `
      import { installWhenNeeded } from './scripts/prepare/install.mjs';
      await installWhenNeeded();`;
    let folder: string;
    /** With a program in place of npm, which says that it was called. */
    const install = () =>
      run(process.execPath, ['--input-type=module', '-e', script], {
        cwd: folder,
        env: { ...process.env, npm_execpath: join(folder, 'npm.mjs'), npm_node_execpath: process.execPath },
      }).then(() => existsSync(join(folder, 'called')));
    const put = async (file: string, content: string) => {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), content);
    };

    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'installed-packages-'));
      await cp('scripts/prepare', join(folder, 'scripts/prepare'), { recursive: true });
      const [locked, optional] = [{ version: '1.0.0' }, { version: '1.0.0', optional: true }];
      const here = {
        'node_modules/a': locked,
        'node_modules/a/node_modules/b': locked,
        'node_modules/c': optional,
      };
      const packages = { '': {}, ...here, 'node_modules/for-another-machine': optional };
      await put('package-lock.json', JSON.stringify({ packages }));
      await put('node_modules/.package-lock.json', JSON.stringify({ packages: here }));
      for (const path of Object.keys(here)) await put(`${path}/package.json`, '{}');
      await put(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, '');
      await put('npm.mjs', `import { writeFileSync } from 'node:fs'; writeFileSync('called', '');`);
    });
    afterEach(() => rm(folder, { recursive: true }));

    it('does not install them again', async () => {
      expect(await install()).toBe(false);
    });

    it.each(['a/node_modules/b', 'c'])('installs when a folder was removed: %s', async (name) => {
      await rm(join(folder, 'node_modules', name), { recursive: true });
      expect(await install()).toBe(true);
    });

    it('installs when a version is another one', async () => {
      await put(
        'package-lock.json',
        JSON.stringify({ packages: { 'node_modules/a': { version: '1.0.1' } } }),
      );
      expect(await install()).toBe(true);
    });
  });

  describe('where npm runs no pre and post scripts', () => {
    const npm = (...args: string[]) =>
      run('npm', args, {
        cwd: repository.folder,
        env: { ...process.env, npm_config_ignore_scripts: 'true' },
      }).then(({ stdout }) => stdout);

    it('is the first step of each script, and of no pre or post script', async () => {
      const { scripts } = JSON.parse(await readFile('package.json', 'utf8')) as {
        scripts: Record<string, string>;
      };
      for (const name of ['start', 'test', 'check', 'bench'])
        expect(scripts[name]).toMatch(/^node scripts\/prepare\.mjs /);
      expect(Object.keys(scripts).filter((name) => /^(pre|post)/.test(name))).toEqual([]);
    });

    it('builds for npm start, which runs on the pinned Node with all arguments', async () => {
      await repository.write('local/main.ts', `console.log(process.version, process.argv.slice(2));\n`);
      expect(await npm('start', '--', '--empty', 'a b')).toMatch(
        /Building …\nv24\.\d+\.\d+ \[ '--empty', 'a b' \]\n$/,
      );
      expect(await npm('test', '--', '--version')).toMatch(/\n30\.\d+\.\d+\n$/);
    });
  });

  describe('the started program', () => {
    let child: ChildProcess | undefined;
    afterEach(() => child?.kill('SIGKILL'));

    const start = async (program: string): Promise<{ ended: Promise<unknown[]>; said: () => string }> => {
      await repository.write('program.mjs', `${program}; setInterval(() => {}, 1000); console.log('up');`);
      child = spawn(process.execPath, ['scripts/prepare.mjs', 'program.mjs'], {
        cwd: repository.folder,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const ended = once(child, 'close');
      await waitUntil(() => output.includes('up'));
      return { ended, said: () => output };
    };

    it('receives a signal, and its exit status becomes the status of the script', async () => {
      const { ended, said } = await start(
        `process.once('SIGTERM', () => { console.log('ending'); process.exit(3); })`,
      );
      child?.kill('SIGTERM');
      expect(await ended).toEqual([3, null]);
      expect(said()).toMatch(/up\nending\n$/);
    });

    it('gives the exit status 128 + signal when a signal ends it', async () => {
      const { ended } = await start('process.exitCode = 0');
      child?.kill('SIGINT');
      expect(await ended).toEqual([130, null]);
    });
  });

  describe('when the npm or the shell that called it is killed', () => {
    let npm: ChildProcess | undefined;
    afterEach(() => npm?.kill('SIGKILL'));

    /** A shell that waits for a shell that waits for it, as under npm; the inner one says its number first. */
    const start = async (): Promise<{ shells: number[]; ended: Promise<unknown>; said: () => string }> => {
      const inner = `echo $$; ${process.execPath} scripts/prepare.mjs program.mjs; true`;
      npm = spawn('sh', ['-c', `sh -c '${inner}'; true`], {
        cwd: repository.folder,
        env: { ...process.env, npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'ignore'],
      });
      let output = '';
      npm.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
      // At the end of its output, which all of them hold.
      const ended = once(npm, 'close');
      await waitUntil(() => /^\d+\n.+\n/.test(output));
      return { shells: [npm.pid ?? 0, Number.parseInt(output, 10)], ended, said: () => output };
    };

    it.each([
      ['npm', 0],
      ['the shell', 1],
    ])('ends the program: %s', async (_name, which) => {
      await repository.write(
        'program.mjs',
        `process.once('SIGTERM', () => process.exit()); setInterval(() => {}, 1000); console.log('up');`,
      );
      const { shells, ended, said } = await start();
      process.kill(shells[which] ?? 0, 'SIGKILL');
      await ended;
      expect(said()).toMatch(/up\n$/);
    });

    it('starts no program that has not started yet', async () => {
      await repository.write('program.mjs', `console.log('up');`);
      await repository.write('.data/preparing', String(process.pid));
      const { shells, ended, said } = await start();
      process.kill(shells[1] ?? 0, 'SIGKILL');
      await ended;
      await rm(join(repository.folder, '.data/preparing'));
      expect(said()).toMatch(/^\d+\nWaiting for another start.*\n$/);
    });
  });
});
