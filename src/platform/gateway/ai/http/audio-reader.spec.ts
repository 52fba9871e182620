import { setImmediate } from 'node:timers/promises';
import { loadConfig } from '#libs/config';
import { oggOpus } from '../../../../../test/support/recordings.js';
import { AiCallsConfig } from '../ai-calls.config.js';
import { AudioReader } from './audio-reader.js';

class ImpatientReader extends AudioReader {
  protected override get limits() {
    return { milliseconds: 1, megabytes: 64 };
  }
}
/** Its elements are empty, so that it has as many as possible. */
const hostile = (length: number) => {
  const bytes = Buffer.alloc(length, Buffer.from([0x63, 0xa2, 0x80]));
  bytes.set([0x1a, 0x45, 0xdf, 0xa3, 0x80]);
  return bytes;
};

describe('reading recordings', () => {
  const config = loadConfig(AiCallsConfig, {});
  const reader = new AudioReader(config);
  afterAll(() => reader.onApplicationShutdown());

  it('says what a recording is, and keeps its bytes', async () => {
    const bytes = oggOpus(10);
    expect(await reader.read('a', bytes)).toEqual({
      ...{ name: 'audio.ogg', mediaType: 'audio/ogg' },
      ...{ maxSeconds: 151, bytes },
    });
  });

  it('refuses what is no recording', async () => {
    await expect(reader.read('a', Buffer.from('MZ'))).rejects.toThrow('Convert it.');
  });

  it('leaves the process free meanwhile', async () => {
    let turns = 0;
    let isRead = false;
    const reading = reader.read('a', hostile(4_000_000)).finally(() => (isRead = true));
    for (; !isRead; turns += 1) await setImmediate();
    expect((await reading).mediaType).toBe('audio/webm');
    expect(turns).toBeGreaterThan(1);
  });

  it('refuses a recording that takes all of its time', async () => {
    const impatient = new ImpatientReader(config);
    await expect(impatient.read('a', hostile(25_000_000))).rejects.toThrow('Convert it.');
    await impatient.onApplicationShutdown();
  });
});
