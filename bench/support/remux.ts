import { once } from 'node:events';
import { mkdtemp, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { writeLargeVideo } from './large-video.js';
import type { RemuxReport } from '../servers/remux.js';

/**
 * Memory of a process that makes a rendition of a large video, above what it has before; with the limits of the heap that the worker sets.
 * @param bytes about as many
 */
export async function memoryOfRemux(bytes: number, folder: string): Promise<RemuxReport> {
  const path = join(folder, 'video.mp4');
  await writeLargeVideo(path, bytes);
  const { size } = await stat(path);
  if (size < bytes) throw new Error(`The video has ${size} bytes.`);
  const entry = fileURLToPath(new URL('../servers/remux.js', import.meta.url));
  const child = fork(entry, [path, await mkdtemp(join(folder, 'out-'))], {
    execArgv: ['--max-old-space-size=128', '--max-semi-space-size=8'],
  });
  const [report] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [
    RemuxReport | number,
  ];
  if (typeof report !== 'object' || report === null) throw new Error('The video was not made.');
  return report;
}
