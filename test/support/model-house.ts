import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A small copy of the house's outline in a temporary folder, for breaking its rules on purpose. */
export class ModelHouse {
  private constructor(readonly folder: string) {}

  /** @param settings files of the repository root that the guard under test reads. */
  static async build(settings: readonly string[]): Promise<ModelHouse> {
    const house = new ModelHouse(await mkdtemp(join(tmpdir(), 'model-house-')));
    for (const file of settings) await cp(file, join(house.folder, file));
    await symlink(join(process.cwd(), 'node_modules'), join(house.folder, 'node_modules'));
    return house;
  }

  async write(file: string, content: string): Promise<void> {
    const path = join(this.folder, file);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  /** Runs one of the installed tools here; what it printed, whatever its exit status. */
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
