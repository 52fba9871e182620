import { spawnSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { removeAbandonedFolders, withTemporaryFolder } from './temporary-folder.js';

const NOW = 1_800_000_000_000;
const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
/** A folder as another process makes it, named as those of this process but for its host, id and start. */
const folderOf = async (other: { host?: string; pid?: number; start?: string }) => {
  const own = await withTemporaryFolder((folder) => Promise.resolve(basename(folder)));
  const [, , host, pid, start] = own.split('-');
  const owner = [other.host ?? host, other.pid ?? pid, other.start ?? start].join('-');
  return mkdtemp(join(tmpdir(), `media-task-${owner}-`));
};
const startOfParent = async () => {
  const stat = await readFile(`/proc/${process.ppid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
};
const setAge = (path: string, hours: number) => utimes(path, NOW / 1_000, NOW / 1_000 - hours * 3_600);

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
    const running = { pid: process.ppid, start: await startOfParent() };
    const abandoned = [{ pid: dead }, { start: '1' }, { ...running, start: '1' }];
    const kept = [running, { host: 'another', pid: dead }, { host: 'another', start: '1' }];
    const removed = await Promise.all(abandoned.map(folderOf));
    const left = await Promise.all(kept.map(folderOf));
    const old = await folderOf({ host: 'another' });
    await withTemporaryFolder(async (folder) => {
      await Promise.all([...removed, ...left, folder].map((path) => setAge(path, 0)));
      await setAge(old, 7);
      await removeAbandonedFolders(NOW);
      expect(await Promise.all([...removed, old].map(exists))).toEqual([false, false, false, false]);
      expect(await Promise.all([...left, folder].map(exists))).toEqual([true, true, true, true]);
    });
    await Promise.all(left.map((path) => rm(path, { recursive: true })));
  });
});
