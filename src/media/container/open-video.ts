import { CustomSource, Input, Logging, LogLevel, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';
import { advancing, type VideoBytes } from './advancing-reads.js';

// Errors are thrown; mediabunny would also print what it finds in files of users.
Logging.level = LogLevel.Silent;

/**
 * A video in a container that the library accepts, read by ranges. Dispose it.
 * @param source caches what is read again: a cache of the demultiplexer would hide reads that do not advance
 */
export function openVideo(source: VideoBytes): Input {
  const guarded = advancing(source);
  return new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => guarded.bytes,
      read: (start, end) => guarded.read(start, end),
      maxCacheSize: 0,
      prefetchProfile: 'none',
    }),
  });
}
