import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { render } from '../../src/media/renditions/render.js';

export interface RemuxReport {
  /** Highest resident memory above that before the start. */
  readonly megabytes: number;
  readonly seconds: number;
}

/** From /proc, in MB: VmRSS is the resident memory now, VmHWM its highest value. */
function memory(field: 'VmRSS' | 'VmHWM'): number {
  const [, kilobytes] =
    new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return (Number(kilobytes) * 1_024) / 1e6;
}

/** Makes a rendition of a file and reports its memory. Parameters: the file, and a folder for the result. */
async function main(path: string, folder: string): Promise<RemuxReport> {
  await using file = await open(path);
  const { size } = await file.stat();
  const read = async (start: number, end: number): Promise<Uint8Array> => {
    const bytes = new Uint8Array(end - start);
    await file.read(bytes, 0, bytes.length, start);
    return bytes;
  };
  const [idle, start] = [memory('VmRSS'), performance.now()];
  const output = await render({
    source: { bytes: size, read },
    kind: 'video',
    spec: { kind: 'video', container: 'mp4', maxBytes: 2 * size },
    focus: { x: 0.5, y: 0.5 },
    aiMark: null,
    folder,
  });
  if (output.kind !== 'rendered') throw new Error(output.message);
  return { megabytes: memory('VmHWM') - idle, seconds: (performance.now() - start) / 1_000 };
}

const [path = '', folder = ''] = process.argv.slice(2);
process.send?.(await main(path, folder));
process.disconnect();
