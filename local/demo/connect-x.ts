import type { Addresses } from '../environments.js';
import type { Visitor } from './visitor.js';

const HANDLE = 'demo_brand';

/** Connects an account of the sandbox's X as a browser does: start, read the consent page, accept, follow the callback. */
export async function connectX(person: Visitor, api: string, brandId: string): Promise<string> {
  const connect = `${api}/api/integrations/x/connect?brandId=${brandId}`;
  const { authorizationUrl } = await person.json<{ authorizationUrl: string }>('POST', connect);
  const consent = formIn(await person.page(authorizationUrl));
  consent.fields.set('new_username', HANDLE);
  consent.fields.set('decision', 'authorize');
  const callback = await person.submit(new URL(consent.action, authorizationUrl).toString(), consent.fields);
  await person.page(callback);
  return HANDLE;
}

interface Connected {
  readonly id: string;
  readonly platform: string;
  readonly account: { readonly id: string; readonly username: string };
}

/** Reconnects the account after a reset of the sandbox, which forgets it. Without it no post would be published. */
export async function reconnectX(
  person: Visitor,
  { api, sandbox }: Addresses,
  brandId: string,
  handle: string,
): Promise<void> {
  const accounts = await person.json<Listed<{ id: string }>>('GET', `${sandbox}/_sandbox/x/accounts`);
  const known = new Set(accounts.data.map(({ id }) => id));
  const connections = await person.json<Listed<Connected>>(
    'GET',
    `${api}/api/integrations?brandId=${brandId}`,
  );
  const forgotten = connections.data.filter(
    ({ platform, account }) => platform === 'x' && account.username === handle && !known.has(account.id),
  );
  for (const { id } of forgotten) await person.json('DELETE', `${api}/api/integrations/${id}`);
  if (forgotten.length > 0) await connectX(person, api, brandId);
}

interface Listed<T> {
  readonly data: readonly T[];
}

/** The action and hidden fields of the only form of a page. */
function formIn(page: string): { readonly action: string; readonly fields: URLSearchParams } {
  const action = /<form[^>]*\baction="([^"]+)"/.exec(page)?.[1];
  if (!action) throw new Error('The consent page has no form.');
  const hidden = page.matchAll(/<input[^>]*\btype="hidden"[^>]*\bname="([^"]+)"[^>]*\bvalue="([^"]*)"/g);
  const fields = new URLSearchParams();
  for (const [, name = '', value = ''] of hidden) fields.set(name, unescape(value));
  return { action, fields };
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
};

const unescape = (text: string) =>
  text.replace(/&(amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);
