import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { removeAbandonedFolders, withTemporaryFolder } from './temporary-folder.js';

const NOW = 1_800_000_000_000;
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
const folderOf = (pid: number | undefined) => mkdtemp(join(tmpdir(), `media-task-${pid}-`));

describe('a temporary folder', () => {
  it('is removed with its files, also after an error', async () => {
    let path = '';
    const work = withTemporaryFolder(async (folder) => {
      path = folder;
      await writeFile(join(folder, 'file'), 'x');
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      throw new Error('broken');
    });
    await expect(work).rejects.toThrow('broken');
    expect(await exists(path)).toBe(false);
  });

  it('of a killed process is removed at the next start, but none that is in use', async () => {
    const { pid: dead } = spawnSync(process.execPath, ['--version']);
    const [abandoned, earlier, other] = await Promise.all([dead, process.pid, process.ppid].map(folderOf));
    const old = await folderOf(process.ppid);
    await utimes(old, NOW / 1_000 - 7 * 3_600, NOW / 1_000 - 7 * 3_600);
    await utimes(other as string, NOW / 1_000, NOW / 1_000);
    await withTemporaryFolder(async (folder) => {
      await removeAbandonedFolders(NOW);
      const left = [abandoned, earlier, old, other, folder].map((path) => exists(path as string));
      expect(await Promise.all(left)).toEqual([false, false, false, true, true]);
    });
    await rm(other as string, { recursive: true });
  });
});
