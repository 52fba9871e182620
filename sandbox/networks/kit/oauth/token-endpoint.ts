import { json, type SandboxResponse, withHeaders } from '../../../wire/response.js';
import { isSame } from '../state/digests.js';
import type { AppClient } from './authorization-request.js';

/** Whether the fields of a form are the credentials of the app. @param idField the network's name of the client's id */
export const isClientIn = (
  form: URLSearchParams,
  { id, secret }: AppClient,
  idField: 'client_id' | 'client_key' = 'client_id',
): boolean => form.get(idField) === id && isSame(form.get('client_secret') ?? '', secret ?? '');

/** Tokens must not be cached (RFC 6749, section 5.1). */
export const tokenResponse = (body: unknown): SandboxResponse =>
  withHeaders(json(200, body), { 'cache-control': 'no-store' });
