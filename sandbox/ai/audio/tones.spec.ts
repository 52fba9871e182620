import { heardIn, secondsOf, spoken, tone, WORDS } from './tones.js';
import { readWav, type Sound, writeWav } from './wav.js';

const sound = (words: string): Sound => spoken(words) as Sound;

describe('tones', () => {
  it('are words again, also one said twice', () => {
    const words = [...WORDS, 'one', 'one'].join(' ');
    expect(heardIn(readWav(writeWav(sound(words))) as Sound)).toBe(words);
  });

  it('name a frequency that stands for no word, and nothing for silence', () => {
    expect(heardIn(tone(222, 1))).toBe('[tone of 220 hertz]');
    expect(heardIn({ rate: 16_000, samples: new Float32Array(16_000) })).toBe('');
    expect(secondsOf(tone(440, 1.5))).toBe(1.5);
  });

  it('have no word for another language', () => {
    expect(spoken('guten Morgen')).toBeUndefined();
  });
});

describe('readWav', () => {
  const file = writeWav(sound('good morning'));

  it('does not read half a file, nor another format', () => {
    expect(readWav(file.subarray(0, file.length - 1))).toBeUndefined();
    expect(readWav(Buffer.from('ID3'))).toBeUndefined();
    const compressed = Buffer.from(file);
    compressed.writeUInt16LE(0x55, 20);
    expect(readWav(compressed)).toBeUndefined();
  });

  it.each([8, 24, 32])('reads %i bits and two channels', (bits) => {
    const { rate, samples } = tone(480, 0.5);
    const bytes = bits / 8;
    const data = Buffer.alloc(samples.length * bytes * 2);
    for (const [index, sample] of samples.entries()) {
      const level = Math.round(sample * (2 ** (bits - 1) - 1));
      for (const channel of [0, 1]) {
        const at = (index * 2 + channel) * bytes;
        if (bits === 8) data.writeUInt8(level + 128, at);
        else data.writeIntLE(level, at, bytes);
      }
    }
    const header = Buffer.from(file.subarray(0, 44));
    header.writeUInt16LE(2, 22);
    header.writeUInt16LE(bits, 34);
    header.writeUInt32LE(data.length, 40);
    const read = readWav(Buffer.concat([header, data])) as Sound;
    expect([read.rate, read.samples.length]).toEqual([rate, samples.length]);
    expect(heardIn(read)).toBe('we');
  });
});
