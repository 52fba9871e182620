import type { OutboundHttp } from '#libs/outbound-http';
import { NetworkIsUnavailable } from '../../domain/integration.errors.js';
import type { AccountProfile } from '../../domain/provider-grants.js';
import { graphGet } from '../graph/graph-wire.js';
import { readGraphError } from '../graph/graph-errors.js';
import { isPermissionMissing } from '../graph/graph-refusals.js';
import { bodyIn, memberOf } from '../values.js';
import type { ContainerApi } from './container-api.js';
import { quotaFact } from './container-quota.js';

export interface ProfileOfToken extends AccountProfile {
  /** The id by which signed callbacks name the account, where it differs; else null. */
  readonly consentId: string | null;
}

export interface ProfileSource {
  readonly displayName: string;
  readonly url: string;
  /** null: not readable. Pure. */
  readonly profileIn: (body: unknown) => ProfileOfToken | null;
}

export interface ReadProfile extends ProfileOfToken {
  /** false: the network does not let this service publish for the account. */
  readonly mayPublish: boolean;
}

/**
 * The account of a token, with the number of posts that it may publish in a day. The question for that number needs the permission to
 * publish (developers.facebook.com/documentation/threads/overview): the tokens of Threads do not name what the person allowed.
 * @throws NetworkIsUnavailable also when the token is refused: publishing finds that out
 */
export async function readProfile(
  http: OutboundHttp,
  api: ContainerApi,
  { displayName, url, profileIn }: ProfileSource,
  accessToken: string,
): Promise<ReadProfile> {
  const response = await http.send(graphGet(url, accessToken));
  const profile = profileIn(firstOf(bodyIn(response)));
  if (profile === null) throw new NetworkIsUnavailable(displayName);
  const quota = await api.quota({ account: profile, accessToken });
  const facts = quotaFact(bodyIn(quota));
  const isForbidden =
    quota.kind === 'answered' && isPermissionMissing(readGraphError(quota.status, quota.body));
  return { ...profile, facts: { ...profile.facts, ...facts }, mayPublish: !isForbidden };
}

/** One page of the documentation shows the account inside a list. */
function firstOf(body: unknown): unknown {
  const list = memberOf(body, 'data');
  return Array.isArray(list) ? list[0] : body;
}
