import type { UploadState, VideoChannel } from './gateway.types.js';
import { count, nullable, object, oneOf, text, uuid } from './response-shape.js';

/** @throws UnexpectedShape, like the functions below */
export function readChannel(body: unknown): VideoChannel | null {
  return nullable(object(body, 'body').channel, 'channel', (value, path) => {
    const channel = object(value, path);
    return {
      id: text(channel.id, `${path}.id`),
      title: text(channel.title, `${path}.title`),
      handle: nullable(channel.handle, `${path}.handle`, text),
      thumbnailUrl: nullable(channel.thumbnailUrl, `${path}.thumbnailUrl`, text),
    };
  });
}

export function readBegun(body: unknown): { uploadId: string } {
  return { uploadId: uuid(object(body, 'body').uploadId, 'uploadId') };
}

export function readUploadState(body: unknown): UploadState {
  const response = object(body, 'body');
  const state = oneOf(response.state, 'state', ['incomplete', 'complete']);
  if (state === 'incomplete') return { state, nextByte: count(response.nextByte, 'nextByte') };
  const video = object(response.video, 'video');
  return {
    state,
    video: { id: text(video.id, 'video.id'), privacy: nullable(video.privacy, 'video.privacy', text) },
  };
}
