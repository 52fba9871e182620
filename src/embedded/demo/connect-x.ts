import type { Visitor } from './visitor.js';

const HANDLE = 'demo_brand';

/** Connects an account of the sandbox's X as a person does: ask, read the consent page, agree, come back. */
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

/** The one form of a page: where it goes and its hidden fields. */
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
