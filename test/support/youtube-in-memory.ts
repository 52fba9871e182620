import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { VideoChannel } from '#libs/platform-client';
import type { GoogleApi } from './google-api.js';

interface Session {
  readonly total: number;
  received: Buffer;
  id: string | null;
}

export interface YoutubeInMemory {
  /** @returns an access token */
  account(channel: VideoChannel | null): string;
  /** Bytes of every published video. */
  readonly published: Buffer[];
  endUploads(): void;
}

/** The smallest YouTube that a gateway works with: channels.list and resumable uploads. */
export function answerAsYoutube(google: GoogleApi): YoutubeInMemory {
  const channels = new Map<string, VideoChannel | null>();
  const sessions = new Map<string, Session>();
  const published: Buffer[] = [];
  const json = (
    response: ServerResponse,
    status: number,
    body: object,
    headers: Record<string, string> = {},
  ) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify(body));

  const put = (session: Session, { headers }: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const start = Number(
      /^bytes (\d+)-/.exec(headers['content-range'] ?? '')?.[1] ?? session.received.length,
    );
    session.received = Buffer.concat([session.received, body.subarray(session.received.length - start)]);
    if (session.received.length < session.total) {
      const last = session.received.length - 1;
      return void response.writeHead(308, last < 0 ? {} : { range: `bytes=0-${last}` }).end();
    }
    if (session.id === null) published.push(session.received);
    session.id ??= randomBytes(8).toString('base64url');
    json(response, 200, { id: session.id, status: { privacyStatus: 'private' } });
  };

  google.answer = (request, response, body) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', google.url);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    const channel = channels.get(token);
    if (channel === undefined)
      return json(response, 401, { error: { code: 401, errors: [{ reason: 'authError' }] } });
    if (pathname === '/youtube/v3/channels') return json(response, 200, listOf(channel));
    const id = searchParams.get('upload_id');
    if (id === null) {
      const session = randomBytes(8).toString('hex');
      sessions.set(session, {
        total: Number(request.headers['x-upload-content-length']),
        received: Buffer.alloc(0),
        id: null,
      });
      return json(response, 200, {}, { location: `${google.url}${pathname}?upload_id=${session}` });
    }
    const session = sessions.get(id);
    return session ? put(session, request, response, body) : json(response, 404, {});
  };
  return {
    account(channel) {
      const token = randomBytes(8).toString('hex');
      channels.set(token, channel);
      return token;
    },
    published,
    endUploads: () => sessions.clear(),
  };
}

const listOf = (channel: VideoChannel | null) => ({
  kind: 'youtube#channelListResponse',
  items: channel
    ? [
        {
          id: channel.id,
          snippet: {
            title: channel.title,
            customUrl: channel.handle,
            thumbnails: { default: { url: channel.thumbnailUrl } },
          },
        },
      ]
    : [],
});
