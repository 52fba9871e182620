import { createWriteStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

export type FetchProblem = 'address' | 'connection' | 'time' | 'redirect' | 'status' | 'bytes';

/** The address of a file could not be fetched. Each network has its own words for it. */
export class MediaIsNotFetched extends Error {
  override name = 'MediaIsNotFetched';

  constructor(
    readonly problem: FetchProblem,
    /** For `status` and `redirect`. */
    readonly status?: number,
  ) {
    super(status === undefined ? problem : `${problem} ${status}`);
  }
}

export interface FetchLimits {
  readonly maxBytes: number;
  /** Of the whole fetch. Default 30 s. */
  readonly timeoutMs?: number;
}

export interface FetchedFile {
  readonly bytes: number;
  /** As the response declares it, without parameters; networks do not rely on it. */
  readonly contentType: string | null;
}

/** The sandbox reaches no machine but its own. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * Fetches a media address to a file, as networks do that take addresses: one GET without redirects, with bounded time and bytes. A
 * failed fetch leaves no complete file; the caller removes what is at the path.
 * @throws MediaIsNotFetched
 */
export async function fetchMedia(address: string, path: string, limits: FetchLimits): Promise<FetchedFile> {
  const url = parsed(address);
  const signal = AbortSignal.timeout(limits.timeoutMs ?? 30_000);
  try {
    const response = await get(url, signal);
    return await saved(response, path, limits.maxBytes, signal);
  } catch (error) {
    if (error instanceof MediaIsNotFetched) throw error;
    throw new MediaIsNotFetched(signal.aborted ? 'time' : 'connection');
  }
}

function parsed(address: string): URL {
  const url = URL.parse(address);
  const isAllowed =
    url !== null &&
    (url.protocol === 'http:' || url.protocol === 'https:') &&
    LOOPBACK.test(url.hostname) &&
    url.username === '' &&
    url.password === '';
  if (!isAllowed) throw new MediaIsNotFetched('address');
  return url;
}

function get(url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = { accept: '*/*', 'user-agent': 'sandbox-media-fetcher' };
  return new Promise((resolve, reject) => {
    request(url, { agent: false, signal, headers }, resolve).on('error', reject).end();
  });
}

async function saved(
  response: IncomingMessage,
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<FetchedFile> {
  const { statusCode: status = 0, headers } = response;
  if (status !== 200) {
    response.destroy();
    throw new MediaIsNotFetched(status >= 300 && status < 400 ? 'redirect' : 'status', status);
  }
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      done(bytes > maxBytes ? new MediaIsNotFetched('bytes') : null, chunk);
    },
  });
  await pipeline(response, counted, createWriteStream(path, { mode: 0o600 }), { signal });
  return { bytes, contentType: headers['content-type']?.split(';', 1)[0]?.trim() ?? null };
}
