import { registerHooks } from 'node:module';

/** Preloaded into a process: the table of contact fields has a text and a list more, as if they were written there. */
const ENTRIES = `
  nickname: { kind: 'text', column: 'nickname', max: 40, isDetail: true, headers: 'nickname|spitzname', example: 'Evi' },
  languages: {
    kind: 'texts', column: 'languages', max: 20, maxItems: 3, separator: /[;,]/, isDetail: true, headers: 'sprachen',
  },`;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('/src/contacts/domain/contact-fields.js')) return loaded;
    const source = String(loaded.source).replace('export const CONTACT_FIELDS = {', `$&${ENTRIES}`);
    return { ...loaded, source };
  },
});
