import { domainError } from '#libs/errors';

/** Audio for a provider. The name is made from the type: the caller's own name is not passed on. */
export interface AudioFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Buffer;
}

export class AudioIsNotSupported extends domainError('unsupported', 'audio_not_supported', {
  detail: 'The file is not WAV, MP3, FLAC, Ogg, WebM or MP4 audio. Convert it.',
  errors: [{ pointer: '#/file', code: 'not_supported', detail: 'must be audio' }],
}) {}

interface Format {
  readonly extension: string;
  readonly mediaType: string;
  /** By the first 12 bytes as Latin-1. */
  readonly signature: RegExp;
}

const HEAD_BYTES = 12;

/** Containers that OpenAI and Google take. */
const FORMATS: readonly Format[] = [
  { extension: 'wav', mediaType: 'audio/wav', signature: /^RIFF....WAVE/s },
  { extension: 'flac', mediaType: 'audio/flac', signature: /^fLaC/ },
  { extension: 'ogg', mediaType: 'audio/ogg', signature: /^OggS/ },
  { extension: 'webm', mediaType: 'audio/webm', signature: /^\x1a\x45\xdf\xa3/ },
  { extension: 'm4a', mediaType: 'audio/mp4', signature: /^....ftyp/s },
  // An ID3 tag, or the sync word of an MPEG audio frame that is no AAC (layer bits not 00).
  { extension: 'mp3', mediaType: 'audio/mpeg', signature: /^(ID3|\xff[\xe2-\xe7\xf2-\xf7\xfa-\xff])/ },
];

/** What the bytes are, by their signature: this process parses no more of a caller's file. @throws AudioIsNotSupported */
export function audioFile(bytes: Buffer): AudioFile {
  const head = bytes.toString('latin1', 0, HEAD_BYTES);
  const format = FORMATS.find(({ signature }) => signature.test(head));
  if (!format) throw new AudioIsNotSupported();
  return { name: `audio.${format.extension}`, mediaType: format.mediaType, bytes };
}
