import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { loadConfig } from '#libs/config';
import { ObjectStorage, ObjectStorageConfig } from '#libs/object-storage';
import { startEmbeddedObjectStorage } from '../../local/object-store/embedded-object-storage.js';
import { INSPECT, inspectionBudget } from '../../src/media/inspection/inspect-in-process.js';
import { MediaProcesses } from '../../src/media/isolation/media-processes.js';
import { writeLargeVideo } from '../support/large-video.js';
import { atMost, type Line } from '../support/line.js';

const BYTES = 1e9;
const KEY = 'media/bench/original';
const CONTENT_TYPE = 'video/mp4';

/** Inspection of a large video with its index at the end, in the store, by a child process that is already running. Linux only. */
export const mediaInspection: Line = {
  name: 'media-inspection',
  async run(bench) {
    const folder = await mkdtemp(join(bench.folder, 'inspection-'));
    const path = join(folder, 'video.mp4');
    await writeLargeVideo(path, BYTES * bench.scale);
    const store = await Store.start(join(folder, 'objects'));
    await store.storage.putFile(KEY, path, CONTENT_TYPE);
    const { size } = await stat(path);
    const processes = new MediaProcesses({ processes: 1 });
    try {
      const inspect = () => timed(() => inspected(processes, store, size, folder));
      const first = await inspect();
      const idle = ownMegabytes() + childMegabytes('VmRSS');
      const times: number[] = [];
      for (let count = 0; count < 2 * bench.repetitions; count += 1) times.push(await inspect());
      times.sort((one, other) => one - other);
      const spread = `${times[0]?.toFixed(0)} to ${times.at(-1)?.toFixed(0)} ms; ${first.toFixed(0)} ms with the start of the child process`;
      const what = `inspection of a video of ${(size / 1e9).toFixed(1)} GB`;
      const against = 'the embedded store, index at the end';
      const median = (times[times.length >> 1] ?? 0) / 1_000;
      const most = ownMegabytes() + childMegabytes('VmHWM') - idle;
      const note = `the idle child process holds ${childMegabytes('VmRSS').toFixed(0)} MB`;
      return [
        atMost(1, 's', { what: `${what}, time`, against, value: median, note: spread }),
        atMost(64, 'MB', { what: `${what}, memory above idle`, against, value: most, note }),
      ];
    } finally {
      await processes.onApplicationShutdown();
      await store.stop();
      await rm(folder, { recursive: true });
    }
  },
};

async function inspected(processes: MediaProcesses, { storage }: Store, bytes: number, folder: string) {
  const { url } = await storage.presignInternalGet(KEY, { expiresSeconds: 600 });
  const source = { url, etag: null, bytes };
  const budget = inspectionBudget(CONTENT_TYPE, bytes);
  const input = { contentType: CONTENT_TYPE, isPoster: false };
  const outcome = await processes.run(INSPECT, { input, source, budget, folder });
  if (outcome.kind !== 'done' || outcome.output.kind !== 'accepted')
    throw new Error(`The video was not accepted: ${JSON.stringify(outcome)}`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

const ownMegabytes = (): number => process.memoryUsage().rss / 1e6;

/** Of the child processes that inspect. `VmHWM` is the most since their start. */
function childMegabytes(field: 'VmRSS' | 'VmHWM'): number {
  const children = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim().split(' ');
  const entry = 'isolation/process-entry.js';
  const sizes = children
    .filter((pid) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(entry))
    .map(
      (pid) => new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1],
    );
  return sizes.reduce((sum, size) => sum + (Number(size) * 1_024) / 1e6, 0);
}

class Store {
  private constructor(
    readonly storage: ObjectStorage,
    readonly stop: () => Promise<void>,
  ) {}

  static async start(directory: string): Promise<Store> {
    const key = { accessKeyId: 'bench', secretAccessKey: randomBytes(16).toString('hex') };
    const server = await startEmbeddedObjectStorage({ directory, bucket: 'bench', ...key });
    const storage = new ObjectStorage(
      loadConfig(ObjectStorageConfig, {
        S3_ENDPOINT: server.endpoint,
        S3_BUCKET: 'bench',
        S3_FORCE_PATH_STYLE: 'true',
        S3_ACCESS_KEY_ID: key.accessKeyId,
        S3_SECRET_ACCESS_KEY: key.secretAccessKey,
      }),
    );
    return new Store(storage, async () => {
      storage.onApplicationShutdown();
      await server.stop();
    });
  }
}
