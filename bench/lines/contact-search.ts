import { fillAddressBook, TYPED } from '../support/address-book.js';
import { ask, type Author, Business } from '../support/business.js';
import { atMost, type Line } from '../support/line.js';
import { percentile } from '../support/measure.js';

const CONTACTS = 1_000_000;
const SEARCHES = 300;

/** First pages, one after the other, of one organization that has all contacts. */
export const contactSearch: Line = {
  name: 'contact-search',
  async run(bench) {
    const business = await Business.open(bench, 1);
    try {
      const author = business.authors[0] as Author;
      const contacts = CONTACTS * bench.scale;
      await fillAddressBook(business.db.database, author.organizationId, contacts);
      const api = await business.served('src/main.js', 1);
      const search = async (typed: string) => {
        const begun = performance.now();
        const text = await ask(api, author, 'GET', `/api/contacts?q=${encodeURIComponent(typed)}`);
        const milliseconds = performance.now() - begun;
        return { milliseconds, found: (JSON.parse(text) as { data: unknown[] }).data.length };
      };
      const results = [];
      for (const [kind, typed] of Object.entries(TYPED)) {
        for (let n = 0; n < 20; n += 1) await search(typed());
        const answers = [];
        for (let n = 0; n < SEARCHES * bench.scale; n += 1) answers.push(await search(typed()));
        const times = answers.map(({ milliseconds }) => milliseconds);
        const empty = answers.filter(({ found }) => found === 0).length;
        const note = `p50 ${percentile(times, 0.5).toFixed(1)} ms; ${empty} of ${times.length} without a match`;
        const what = `search ${contacts} contacts over HTTP, ${kind}, p95`;
        results.push(atMost(20, 'ms', { what, against: '-', value: percentile(times, 0.95), note }));
      }
      return results;
    } finally {
      await business.close();
    }
  },
};
