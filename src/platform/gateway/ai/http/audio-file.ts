import { DomainError } from '#libs/errors';
import { flacSeconds } from './audio/flac.js';
import { matroskaSeconds } from './audio/matroska.js';
import { mp4Seconds } from './audio/mp4.js';
import { oggSeconds } from './audio/ogg.js';
import { wavSeconds } from './audio/wav.js';

/** What the bytes of a recording say. The name is made from the type: the caller's own name is not passed on. */
export interface AudioDescription {
  readonly name: string;
  readonly mediaType: string;
  /** What the recording lasts at most. From 1 on. */
  readonly maxSeconds: number;
}

/** Audio for a provider. */
export interface AudioFile extends AudioDescription {
  readonly bytes: Buffer;
}

export class AudioIsNotSupported extends DomainError {
  readonly kind = 'unsupported';
  readonly code = 'audio_not_supported';

  constructor() {
    super('The file is not WAV, MP3, FLAC, Ogg, WebM or MP4 audio. Convert it.', {
      errors: [{ pointer: '#/file', code: 'not_supported', detail: 'must be audio' }],
    });
  }
}

interface Format {
  readonly extension: string;
  readonly mediaType: string;
  /** By the first 12 bytes as Latin-1. */
  readonly signature: RegExp;
  /** What its frames last at most. 0: not readable. Never throws; takes time in proportion to the bytes. */
  readonly seconds: (bytes: Buffer) => number;
}

/** The lowest rate of Opus with speech, 6 kbit/s (RFC 6716, 2.1.1), and less than the lowest of MP3, 8 kbit/s. */
const BYTES_PER_SECOND = 750;
const ofMp3 = (bytes: Buffer): number => bytes.length / BYTES_PER_SECOND;
const ofFlac = (bytes: Buffer): number => atLeast(flacSeconds(bytes), ofMp3(bytes));
/** Frames of FLAC can be in each of these, at rates below those that its packets are counted with. */
const ofContainer = (seconds: (bytes: Buffer) => number) => (bytes: Buffer) =>
  atLeast(seconds(bytes), ofMp3(bytes), flacSeconds(bytes));
const atLeast = (seconds: number, ...least: readonly number[]): number =>
  seconds > 0 ? Math.max(seconds, ...least) : 0;

/** Containers that OpenAI and Google take. */
const FORMATS: readonly Format[] = [
  { extension: 'wav', mediaType: 'audio/wav', signature: /^RIFF....WAVE/s, seconds: wavSeconds },
  { extension: 'flac', mediaType: 'audio/flac', signature: /^fLaC/, seconds: ofFlac },
  { extension: 'ogg', mediaType: 'audio/ogg', signature: /^OggS/, seconds: ofContainer(oggSeconds) },
  {
    extension: 'webm',
    mediaType: 'audio/webm',
    signature: /^\x1a\x45\xdf\xa3/,
    seconds: ofContainer(matroskaSeconds),
  },
  { extension: 'm4a', mediaType: 'audio/mp4', signature: /^....ftyp/s, seconds: ofContainer(mp4Seconds) },
  {
    extension: 'mp3',
    mediaType: 'audio/mpeg',
    // An ID3 tag, or the sync word of an MPEG audio frame that is no AAC (layer bits not 00).
    signature: /^(ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/,
    seconds: ofMp3,
  },
];

/** The most of an estimate, so that it fits the columns. */
const MOST_SECONDS = 1_000_000_000;

/** What the bytes are; null: not audio of these formats. Takes up to a second for a hostile file of 25 MB: see AudioReader. */
export function describeAudio(bytes: Buffer): AudioDescription | null {
  const format = formatAt(bytes, 0);
  const behindTags = formatAt(bytes, endOfTags(bytes));
  // A decoder skips an ID3 tag before any format.
  if (!format || (behindTags && behindTags !== format)) return null;
  const seconds = format.seconds(bytes) || bytes.length;
  return {
    name: `audio.${format.extension}`,
    mediaType: format.mediaType,
    maxSeconds: Math.min(Math.ceil(seconds), MOST_SECONDS),
  };
}

function formatAt(bytes: Buffer, at: number): Format | undefined {
  const head = bytes.toString('latin1', at, at + 12);
  return FORMATS.find(({ signature }) => signature.test(head));
}

/** ID3 states the length behind its header of 10 bytes, in four bytes of 7 bits. */
function endOfTags(bytes: Buffer): number {
  let at = 0;
  while (at + 10 <= bytes.length && bytes.toString('latin1', at, at + 3) === 'ID3') {
    const length = bytes.subarray(at + 6, at + 10).reduce((sum, byte) => sum * 128 + (byte & 127), 0);
    at += 10 + length + (bytes.readUInt8(at + 5) & 0x10 ? 10 : 0);
  }
  return at;
}
