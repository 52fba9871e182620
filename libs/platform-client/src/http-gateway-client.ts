import { Injectable } from '@nestjs/common';
import { OutboundHttp } from '#libs/outbound-http';
import type { OutboundRequest, OutboundResponse } from '#libs/outbound-http';
import { GatewayClient } from './gateway-client.js';
import { GatewayClientConfig } from './gateway-client.config.js';
import type {
  ChannelCall,
  GatewayResult,
  NewVideo,
  UploadState,
  VideoChannel,
  VideoPart,
} from './gateway.types.js';
import { IdentityClient } from './identity-client.js';
import { readBegun, readChannel, readUploadState } from './read-gateway-responses.js';
import { resultOf } from './gateway-results.js';

const UPLOADS = '/api/video/youtube/uploads';

type Request = Omit<OutboundRequest, 'url'> & { readonly path: string };

/** The gateway over HTTP. */
@Injectable()
export class HttpGatewayClient extends GatewayClient {
  private applicationId: string | undefined;

  constructor(
    private readonly http: OutboundHttp,
    private readonly config: GatewayClientConfig,
    private readonly identity: IdentityClient,
  ) {
    super();
  }

  get isConfigured(): boolean {
    return this.config.gatewayServiceToken !== undefined;
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

  private async send<T>(
    { organizationId, accessToken }: ChannelCall,
    { path, headers, ...request }: Request,
    read: (body: unknown) => T,
  ): Promise<GatewayResult<T>> {
    const { gatewayServiceToken, gatewayUrl } = this.config;
    if (gatewayServiceToken === undefined) return { kind: 'misconfigured', code: 'gateway_token_missing' };
    const applicationId = await this.registeredId();
    if (typeof applicationId !== 'string') return applicationId;
    const response: OutboundResponse = await this.http.send({
      ...request,
      url: gatewayUrl + path,
      headers: {
        ...headers,
        'x-service-token': gatewayServiceToken,
        'x-application-id': applicationId,
        'x-organization-id': organizationId,
        'x-provider-token': accessToken,
      },
    });
    const result = resultOf(response, read);
    // Another installation of identity may have another identifier.
    if (result.kind === 'misconfigured') this.applicationId = undefined;
    return result;
  }

  /** The registered identifier of this service. It never changes within an installation. */
  private async registeredId(): Promise<string | GatewayResult<never>> {
    if (this.applicationId !== undefined) return this.applicationId;
    try {
      const found = await this.identity.registration(this.config.service);
      this.applicationId = found?.id;
      return found?.id ?? { kind: 'misconfigured', code: 'service_not_registered' };
    } catch {
      return { kind: 'not-sent', reason: 'identity_unavailable' };
    }
  }
}

const addressOf = (uploadId: string): string => `${UPLOADS}/${encodeURIComponent(uploadId)}`;
