import { Injectable } from '@nestjs/common';
import { OutboundHttp, type OutboundResponse, type StreamedBody } from '#libs/outbound-http';
import type { BeginUploadDto } from './upload.dto.js';
import { YoutubeConfig } from './quota/quota.config.js';

const UPLOADS = '/upload/youtube/v3/videos';

export interface Part {
  /** Index of its first byte. */
  readonly start: number;
  /** Of the file. */
  readonly total: number;
  readonly body: StreamedBody;
}

/**
 * The calls to the YouTube Data API v3 (developers.google.com/youtube/v3/docs: channels.list, videos.insert, "Resumable uploads",
 * read 2026-11-21). Every call goes to the configured host.
 */
@Injectable()
export class Youtube {
  constructor(
    private readonly http: OutboundHttp,
    private readonly config: YoutubeConfig,
  ) {}

  channel(token: string): Promise<OutboundResponse> {
    const query = new URLSearchParams({ part: 'snippet,statistics', mine: 'true' });
    return this.http.send({
      method: 'GET',
      url: `${this.config.apiUrl}/youtube/v3/channels?${query.toString()}`,
      headers: authorized(token),
    });
  }

  begin(token: string, upload: BeginUploadDto): Promise<OutboundResponse> {
    const query = new URLSearchParams({ uploadType: 'resumable', part: 'snippet,status' });
    return this.http.send({
      method: 'POST',
      url: `${this.config.apiUrl}${UPLOADS}?${query.toString()}`,
      headers: {
        ...authorized(token),
        'content-type': 'application/json; charset=UTF-8',
        'x-upload-content-length': String(upload.bytes),
        'x-upload-content-type': upload.contentType,
      },
      body: JSON.stringify(resourceOf(upload)),
    });
  }

  /** @param session as `isSession` accepts it */
  send(token: string, session: string, { start, total, body }: Part): Promise<OutboundResponse> {
    const headers = {
      ...authorized(token),
      'content-range': `bytes ${start}-${start + body.length - 1}/${total}`,
      'content-type': 'application/octet-stream',
    };
    return this.http.send({ method: 'PUT', url: session, headers, body });
  }

  /** Asks how many bytes were received. Has no effect. */
  probe(token: string, session: string, total: number): Promise<OutboundResponse> {
    const headers = { ...authorized(token), 'content-length': '0', 'content-range': `bytes */${total}` };
    return this.http.send({ method: 'PUT', url: session, headers });
  }

  /** Whether this is the address of an upload on the configured host; the gateway sends to no other. */
  isSession(address: string | undefined): address is string {
    if (!address || !URL.canParse(address)) return false;
    const [session, uploads] = [new URL(address), new URL(this.config.apiUrl + UPLOADS)];
    const isBare = session.username === '' && session.password === '';
    return isBare && session.origin === uploads.origin && session.pathname === uploads.pathname;
  }
}

const authorized = (token: string) => ({ authorization: `Bearer ${token}` });

const resourceOf = (upload: BeginUploadDto) => ({
  snippet: {
    title: upload.title,
    description: upload.description,
    tags: upload.tags,
    categoryId: upload.categoryId,
  },
  status: {
    privacyStatus: upload.privacy,
    selfDeclaredMadeForKids: upload.madeForKids,
    containsSyntheticMedia: upload.containsSyntheticMedia,
  },
});
