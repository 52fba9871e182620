import { MAX_STATEMENT_NAME, statement } from './statement.js';

describe('The name of a prepared statement', () => {
  const long = 'page_posts_queue_at_'.repeat(5);

  it('is kept when PostgreSQL compares all of it', () => {
    const longest = long.slice(0, MAX_STATEMENT_NAME);
    expect(statement(longest, 'SELECT 1')).toEqual({ name: longest, text: 'SELECT 1' });
  });

  it('differs within the compared length when long names differ at their ends', () => {
    const [page, next, again] = ['', '_after', ''].map((end) => statement(`${long}${end}`, 'SELECT 1').name);
    expect(page).toHaveLength(MAX_STATEMENT_NAME);
    expect(next).toHaveLength(MAX_STATEMENT_NAME);
    expect(next).not.toBe(page);
    expect(again).toBe(page);
  });
});
