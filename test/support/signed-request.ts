import { createHash, createHmac } from 'node:crypto';
import { request as open } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** A second implementation of Signature V4, from its specification, whose single parts a test can falsify. */
interface Signing {
  readonly method: string;
  /** As it stands on the wire, with the query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly payloadHash: string;
  readonly at: Date;
  readonly accessKeyId: string;
  readonly secret: string;
  readonly region: string;
  /** All headers unless given. */
  readonly signedHeaders?: readonly string[];
}

export const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
export const timestampOf = (at: Date) => at.toISOString().replace(/[-:]|\.\d+/g, '');
const scopeOf = ({ at, region }: Pick<Signing, 'at' | 'region'>) =>
  `${timestampOf(at).slice(0, 8)}/${region}/s3/aws4_request`;

const keyOf = ({ at, region, secret }: Pick<Signing, 'at' | 'region' | 'secret'>) =>
  ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secret}`, timestampOf(at).slice(0, 8)), region));

/** @returns the signature and the names it covers */
function sign(signing: Signing): { signature: string; names: string } {
  const { method, target, headers, payloadHash, at } = signing;
  const [path = '', query = ''] = target.split('?');
  const names = [...(signing.signedHeaders ?? Object.keys(headers))].sort();
  const canonical = [
    method,
    path,
    query.split('&').sort().join('&'),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    payloadHash,
  ].join('\n');
  const lines = ['AWS4-HMAC-SHA256', timestampOf(at), scopeOf(signing), sha256(canonical)];
  return { signature: hmac(keyOf(signing), lines.join('\n')).toString('hex'), names: names.join(';') };
}

/** The headers of a request that is signed in its Authorization header. */
export function signedHeaders(
  signing: Omit<Signing, 'headers'> & { headers?: Signing['headers']; host: string },
) {
  const headers = {
    host: signing.host,
    'x-amz-date': timestampOf(signing.at),
    'x-amz-content-sha256': signing.payloadHash,
    ...signing.headers,
  };
  const { signature, names } = sign({ ...signing, headers });
  const credential = `${signing.accessKeyId}/${scopeOf(signing)}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`;
  return { signature, headers: { ...headers, authorization } };
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** Of an error document. */
  readonly code: string | undefined;
}

/** Sends the request unchanged; fetch would normalize it. */
export async function sendRaw(
  endpoint: string,
  method: string,
  target: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = '',
): Promise<RawResponse> {
  const { hostname, port } = new URL(endpoint);
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const request = open({ hostname, port, method, path: target, headers, agent: false }, (response) => {
    void buffer(response).then((content) => {
      const text = content.toString('utf8');
      const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
      resolve({ status: response.statusCode ?? 0, headers: response.headers, text, code });
    }, reject);
  });
  request.on('error', reject).end(body);
  return promise;
}
