import { createHmac } from 'node:crypto';
import { request } from 'node:http';
import { ControlRequestIsInvalid, controlBody, controlError } from '../../wire/control-request.js';
import { json, type SandboxResponse } from '../../wire/response.js';
import type { Call } from '../../wire/call.js';
import type { Route } from '../../wire/router.js';
import type { SocialNetwork } from '../kit/network.js';

const TIMEOUT_MS = 10_000;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/**
 * `POST /{network}/accounts/{account}/deauthorize` and `…/data-deletion`: sends what the operator of the network sends when a person
 * removes the app, or asks for deletion. To `url`, else to the address beside the redirect address that is registered for the network.
 * Answers what came back.
 */
export const callbackRoutes = (network: SocialNetwork): Route[] =>
  (['deauthorize', 'data-deletion'] as const).map((name) => ({
    method: 'POST',
    path: `/${network.network}/accounts/:account/${name}`,
    handle: (call) =>
      sendCallback(network, name, call).catch((error: unknown) => {
        if (error instanceof ControlRequestIsInvalid) return controlError(400, error.message);
        throw error;
      }),
  }));

async function sendCallback(network: SocialNetwork, name: string, call: Call): Promise<SandboxResponse> {
  const account = network.accounts.find(call.params.account ?? '');
  if (!account) return controlError(404, 'No such account.');
  const { url } = controlBody(call);
  const issuedAt = Math.floor(network.clock.now().getTime() / 1000);
  const signed = signedRequest({ user_id: account.id, issued_at: issuedAt }, network.client.secret ?? '');
  return json(
    200,
    await post(addressOf(network, name, url), new URLSearchParams({ signed_request: signed })),
  );
}

/** `base64url(signature) "." base64url(payload)`, without padding. */
export function signedRequest(payload: Readonly<Record<string, unknown>>, secret: string): string {
  const text = JSON.stringify({ algorithm: 'HMAC-SHA256', ...payload });
  const encoded = Buffer.from(text).toString('base64url');
  return `${createHmac('sha256', secret).update(encoded).digest('base64url')}.${encoded}`;
}

function addressOf({ client, network }: SocialNetwork, name: string, given: unknown): URL {
  const redirect = client.redirectUris.find((each) => each.includes(`/${network}/callback`));
  const address = given ?? redirect?.replace(/\/callback$/, `/${name}`);
  const url = typeof address === 'string' ? URL.parse(address) : null;
  if (url?.protocol !== 'http:' || !LOOPBACK.test(url.hostname))
    throw new ControlRequestIsInvalid('url is an http address on this machine.');
  return url;
}

function post(url: URL, form: URLSearchParams): Promise<{ status: number; body: string }> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers, signal, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8') }),
      );
      response.on('error', reject);
    })
      .on('error', reject)
      .end(form.toString());
  });
}
