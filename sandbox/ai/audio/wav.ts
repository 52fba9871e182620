/** One channel of samples from -1 to 1. */
export interface Sound {
  readonly rate: number;
  readonly samples: Float32Array;
}

const PCM = 1;
const FLOAT = 3;
const EXTENSIBLE = 0xfffe;

interface Format {
  readonly code: number;
  readonly channels: number;
  readonly rate: number;
  readonly bits: number;
}

export const isWav = (bytes: Buffer): boolean =>
  bytes.length >= 12 &&
  bytes.toString('latin1', 0, 4) === 'RIFF' &&
  bytes.toString('latin1', 8, 12) === 'WAVE';

/** Reads PCM of 8 to 32 bits and floats, the first channel. Undefined for a file that is not whole or has another encoding. */
export function readWav(bytes: Buffer): Sound | undefined {
  if (!isWav(bytes)) return undefined;
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const content = bytes.subarray(at + 8, at + 8 + length);
    if (content.length < length) return undefined;
    if (name === 'fmt ' && length >= 16) format = formatIn(content);
    if (name === 'data') return format && soundOf(content, format);
    at += 8 + length + (length % 2);
  }
  return undefined;
}

function formatIn(chunk: Buffer): Format {
  const code = chunk.readUInt16LE(0);
  return {
    // The code of an extensible format is the beginning of its GUID.
    code: code === EXTENSIBLE && chunk.length >= 26 ? chunk.readUInt16LE(24) : code,
    channels: chunk.readUInt16LE(2),
    rate: chunk.readUInt32LE(4),
    bits: chunk.readUInt16LE(14),
  };
}

function soundOf(data: Buffer, { code, channels, rate, bits }: Format): Sound | undefined {
  const read = reader(data, code, bits);
  const step = (bits / 8) * channels;
  if (!read || channels === 0 || rate === 0) return undefined;
  const samples = new Float32Array(Math.floor(data.length / step));
  for (let index = 0; index < samples.length; index += 1) samples[index] = read(index * step);
  return { rate, samples };
}

function reader(data: Buffer, code: number, bits: number): ((at: number) => number) | undefined {
  if (code === FLOAT && bits === 32) return (at) => data.readFloatLE(at);
  if (code !== PCM) return undefined;
  if (bits === 8) return (at) => (data.readUInt8(at) - 128) / 128;
  if (bits === 16 || bits === 24 || bits === 32)
    return (at) => data.readIntLE(at, bits / 8) / 2 ** (bits - 1);
  return undefined;
}

/** A file of 16 bits and one channel. */
export function writeWav({ rate, samples }: Sound): Buffer {
  const file = Buffer.alloc(44 + samples.length * 2);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(36 + samples.length * 2, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(16, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(1, 22);
  file.writeUInt32LE(rate, 24);
  file.writeUInt32LE(rate * 2, 28);
  file.writeUInt16LE(2, 32);
  file.writeUInt16LE(16, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(samples.length * 2, 40);
  for (const [index, sample] of samples.entries())
    file.writeInt16LE(Math.round(Math.max(-1, Math.min(1, sample)) * 32_767), 44 + index * 2);
  return file;
}
