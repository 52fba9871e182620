import { CustomSource, Input, MATROSKA, MP4, QTFF, WEBM } from 'mediabunny';

export interface VideoBytes {
  /** Length. */
  readonly bytes: number;
  /** Bytes start ≤ i < end. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A video in a container that the library accepts, read by ranges. @param cacheBytes that the demultiplexer keeps. Dispose it. */
export const openVideo = (source: VideoBytes, cacheBytes: number): Input =>
  new Input({
    formats: [MP4, QTFF, WEBM, MATROSKA],
    source: new CustomSource({
      getSize: () => source.bytes,
      read: (start, end) => source.read(start, end),
      maxCacheSize: cacheBytes,
      prefetchProfile: 'none',
    }),
  });
