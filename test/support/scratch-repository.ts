import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small repository in a temporary folder, for violating the rules of this one on purpose. */
export class ScratchRepository {
  private constructor(readonly folder: string) {}

  /** @param settings files of the repository root that the checked tool reads. */
  static async build(settings: readonly string[]): Promise<ScratchRepository> {
    const repository = new ScratchRepository(await mkdtemp(join(tmpdir(), 'scratch-repository-')));
    for (const file of settings) await cp(file, join(repository.folder, file));
    await symlink(join(process.cwd(), 'node_modules'), join(repository.folder, 'node_modules'));
    return repository;
  }

  async write(file: string, content: string): Promise<void> {
    const path = join(this.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Runs an installed tool in the folder. @returns its output, whatever its exit status */
  run(tool: string, args: readonly string[]): Promise<string> {
    const script = join(process.cwd(), 'node_modules', tool);
    return new Promise((resolve, reject) => {
      execFile(
        process.execPath,
        [script, ...args],
        { cwd: this.folder, maxBuffer: 1e8 },
        (error, stdout, stderr) => (stdout ? resolve(stdout) : reject(error ?? new Error(stderr))),
      );
    });
  }

  async tearDown(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
