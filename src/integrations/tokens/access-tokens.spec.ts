import { AccessTokens } from './access-tokens.js';
import type { ConnectionRefreshClient } from './connection-refresh.client.js';
import type { EndedGrants } from './ended-grants.js';
import type { StoredTokens, TokensStore } from './tokens.store.js';

const stored = (connectionId: string) =>
  ({ connectionId, state: 'active', accessToken: `token of ${connectionId}` }) as StoredTokens;

describe('access tokens', () => {
  const reads: string[][] = [];
  let answer: (ids: string[]) => Promise<StoredTokens[]>;
  const store = {
    read: (ids: string[]) => {
      reads.push(ids);
      return answer(ids);
    },
  } as unknown as TokensStore;
  const tokens = new AccessTokens(store, {} as ConnectionRefreshClient, {} as EndedGrants);

  beforeEach(() => {
    reads.length = 0;
    answer = (ids) => Promise.resolve(ids.filter((id) => id !== 'gone').map(stored));
  });

  it('of connections that are asked for at once come from one read, each once', async () => {
    const found = await Promise.all(['a', 'gone', 'b', 'a'].map((id) => tokens.fresh(id)));
    expect(reads).toEqual([['a', 'gone', 'b']]);
    expect(found).toMatchObject([
      { kind: 'usable', accessToken: 'token of a' },
      { kind: 'ended' },
      { kind: 'usable', accessToken: 'token of b' },
      { kind: 'usable', accessToken: 'token of a' },
    ]);
  });

  it('are read again each time, also after a failure', async () => {
    answer = () => Promise.reject(new Error('no database'));
    const failed = await Promise.allSettled(['a', 'b'].map((id) => tokens.fresh(id)));
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    answer = (ids) => Promise.resolve(ids.map(stored));
    expect((await tokens.fresh('a')).kind).toBe('usable');
    await tokens.fresh('a');
    expect(reads).toEqual([['a', 'b'], ['a'], ['a']]);
  });
});
