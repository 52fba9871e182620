import { advancing, ReadsDoNotAdvance } from './open-video.js';

const MANY = 5_000;
const file = () =>
  advancing({ bytes: 1e9, read: (start, end) => Promise.resolve(new Uint8Array(end - start)) });

describe('the reads of a parser', () => {
  it.each([1, 2, 3, 100])('that repeat a cycle of %i positions for ever are ended', async (positions) => {
    const source = file();
    const reading = async () => {
      for (let read = 0; read < MANY; read += 1) await source.read(read % positions, 110);
    };
    await expect(reading()).rejects.toThrow(ReadsDoNotAdvance);
  });

  it('go on as long as they reach new bytes, also with one header before each of them', async () => {
    const source = file();
    for (let pass = 0; pass < 3; pass += 1)
      for (let packet = 0; packet < MANY; packet += 1) {
        await source.read(0, 16);
        await source.read(packet * 10, packet * 10 + 10);
      }
  });

  it('may repeat a small file some times', async () => {
    const source = file();
    for (let pass = 0; pass < 30; pass += 1)
      for (let packet = 0; packet < 10; packet += 1) await source.read(packet * 10, packet * 10 + 10);
  });
});
