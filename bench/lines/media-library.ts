import { fillMediaLibrary, MEDIA_QUERIES } from '../support/media-library.js';
import { ask, type Author, Business } from '../support/business.js';
import { atMost, type Line } from '../support/line.js';
import { percentile } from '../support/measure.js';

const FILES = 1_000_000;
const REQUESTS = 300;

interface Answer {
  readonly data: readonly unknown[];
  readonly pagination: { readonly nextCursor: string | null };
}

/** Pages, one after the other, of one brand that has all files: first pages, and the page after each. */
export const mediaLibrary: Line = {
  name: 'media-library',
  async run(bench) {
    const business = await Business.open(bench, 1);
    try {
      const author = business.authors[0] as Author;
      const files = FILES * bench.scale;
      await fillMediaLibrary(business.db.database, author.brandId, files);
      const api = await business.served('src/main.js', 1);
      const page = async (query: Record<string, string>) => {
        const begun = performance.now();
        const text = await ask(api, author, 'GET', `/api/media?${new URLSearchParams(query).toString()}`);
        return { milliseconds: performance.now() - begun, answer: JSON.parse(text) as Answer };
      };
      const results = [];
      for (const [kind, queryOf] of Object.entries(MEDIA_QUERIES)) {
        for (let n = 0; n < 20; n += 1) await page(queryOf());
        const times: number[] = [];
        let [empty, pages] = [0, 0];
        for (let n = 0; n < REQUESTS * bench.scale; n += 2) {
          const query = queryOf();
          const first = await page(query);
          const cursor = first.answer.pagination.nextCursor;
          times.push(first.milliseconds);
          if (cursor !== null) times.push((await page({ ...query, cursor })).milliseconds);
          if (first.answer.data.length === 0) empty += 1;
          pages += 1;
        }
        const note = `p50 ${percentile(times, 0.5).toFixed(1)} ms; ${empty} of ${pages} without a match`;
        const what = `library of ${files} files over HTTP, ${kind}, p95`;
        results.push(atMost(20, 'ms', { what, against: '-', value: percentile(times, 0.95), note }));
      }
      return results;
    } finally {
      await business.close();
    }
  },
};
