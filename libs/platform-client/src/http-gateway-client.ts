import { Injectable } from '@nestjs/common';
import { GatewayClient } from './gateway-client.js';
import { GatewayConnection, type GatewayRequest } from './gateway-connection.js';
import { resultOf } from './gateway-results.js';
import type {
  ChannelCall,
  GatewayResult,
  NewVideo,
  UploadState,
  VideoChannel,
  VideoPart,
} from './gateway.types.js';
import { count, nullable, object, oneOf, text, uuid } from './response-shape.js';

/** @throws UnexpectedShape, like the functions below */
function readChannel(body: unknown): VideoChannel | null {
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

function readBegun(body: unknown): { uploadId: string } {
  return { uploadId: uuid(object(body, 'body').uploadId, 'uploadId') };
}

function readUploadState(body: unknown): UploadState {
  const response = object(body, 'body');
  const state = oneOf(response.state, 'state', ['incomplete', 'complete']);
  if (state === 'incomplete') return { state, nextByte: count(response.nextByte, 'nextByte') };
  const video = object(response.video, 'video');
  return {
    state,
    video: { id: text(video.id, 'video.id'), privacy: nullable(video.privacy, 'video.privacy', text) },
  };
}

const UPLOADS = '/api/video/youtube/uploads';

type Request = Omit<GatewayRequest, 'organizationId'>;

/** The gateway over HTTP. */
@Injectable()
export class HttpGatewayClient extends GatewayClient {
  constructor(private readonly connection: GatewayConnection) {
    super();
  }

  get isConfigured(): boolean {
    return this.connection.isConfigured;
  }

  channel(call: ChannelCall): Promise<GatewayResult<VideoChannel | null>> {
    return this.send(call, { method: 'GET', path: '/api/video/youtube/channel' }, readChannel);
  }

  beginUpload(call: ChannelCall, video: NewVideo): Promise<GatewayResult<{ uploadId: string }>> {
    const headers = { 'content-type': 'application/json' };
    return this.send(
      call,
      { method: 'POST', path: UPLOADS, headers, body: JSON.stringify(video) },
      readBegun,
    );
  }

  sendPart(call: ChannelCall, part: VideoPart): Promise<GatewayResult<UploadState>> {
    const { uploadId, start, total, length, bytes, maySend } = part;
    const headers = {
      'content-type': 'application/octet-stream',
      'content-range': `bytes ${start}-${start + length - 1}/${total}`,
    };
    const body = typeof bytes === 'function' ? { length, open: bytes } : bytes;
    return this.send(
      call,
      { method: 'PUT', path: addressOf(uploadId), headers, body, maySend },
      readUploadState,
    );
  }

  uploadState(call: ChannelCall, uploadId: string): Promise<GatewayResult<UploadState>> {
    return this.send(call, { method: 'GET', path: addressOf(uploadId) }, readUploadState);
  }

  private send<T>(
    { organizationId, accessToken }: ChannelCall,
    { headers, ...request }: Request,
    read: (body: unknown) => T,
  ): Promise<GatewayResult<T>> {
    return this.connection.send<GatewayResult<T>>(
      { ...request, organizationId, headers: { ...headers, 'x-provider-token': accessToken } },
      (response) => resultOf(response, read),
    );
  }
}

const addressOf = (uploadId: string): string => `${UPLOADS}/${encodeURIComponent(uploadId)}`;
