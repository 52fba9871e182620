import { serveThread } from '#libs/concurrency';
import { describeAudio } from './audio-file.js';

serveThread(({ buffer, byteOffset, length }: Uint8Array) =>
  describeAudio(Buffer.from(buffer, byteOffset, length)),
);
