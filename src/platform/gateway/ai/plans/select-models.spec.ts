import { ModelIsNotFound } from '../../models/model.errors.js';
import { NoCredentialIsUsable } from '../ai.errors.js';
import type { Circuit } from './plan.js';
import { CLOSED } from './plan.js';
import type { CatalogModel, Stored, StoredCredential, StoredPreference } from './select-models.js';
import { selectModels } from './select-models.js';

const catalogModel = (ref: string, changes: Partial<CatalogModel> = {}): CatalogModel => {
  const [provider = '', model = ''] = ref.split('/');
  return {
    ...{ provider, model, contextWindow: null, maxOutputTokens: null, prices: null },
    lifecycle: 'active',
    capabilities: ['completions'],
    ...changes,
  };
};
const credential = (
  id: string,
  provider: string,
  changes: Partial<StoredCredential> = {},
): StoredCredential => ({
  ...{ id, provider, organizationId: null, ...CLOSED, ofModels: new Map(), isFailing: false },
  ...{ dataKey: '', secret: '' },
  ...changes,
});
const own = { organizationId: 'o' };
const preference = (defaultModel: string, fallbackChain: string[] = []): StoredPreference => ({
  ...{ defaultModel, fallbackChain, allowedModels: null, fallbackOnPolicy: false },
});
const stored = (changes: Partial<Stored> = {}): Stored => ({
  platform: preference('a/one', ['b/two']),
  organization: null,
  models: [catalogModel('a/one'), catalogModel('b/two')],
  credentials: [credential('pa', 'a'), credential('pb', 'b')],
  ...changes,
});
const selected = (given: Stored, model: string | null = null) =>
  selectModels(given, 'completions', model === null ? null : { model, isPermitted: true }).models.map(
    ({ provider, credentials }) => [provider, credentials.map(({ id }) => id)],
  );

describe('the models of a request', () => {
  it('have the credentials of the platform when the organization has none of the provider', () => {
    expect(selected(stored())).toEqual([
      ['a', ['pa']],
      ['b', ['pb']],
    ]);
  });

  it('have the circuit of each model with a credential', () => {
    const failing: Circuit = { breaker: { state: 'half-open', reason: 'rate' }, failures: 5 };
    const { models } = selectModels(
      stored({
        platform: preference('a/one', ['a/two']),
        models: [catalogModel('a/one'), catalogModel('a/two')],
        credentials: [credential('pa', 'a', { ofModels: new Map([['two', failing]]) })],
      }),
      'completions',
      null,
    );
    expect(models.map(({ credentials }) => credentials[0]?.ofModel)).toEqual([CLOSED, failing]);
  });

  it('have only own credentials where the organization has one, failing ones last', () => {
    const credentials = [
      credential('o1', 'a', { ...own, isFailing: true }),
      credential('o2', 'a', own),
      credential('pa', 'a'),
      credential('pb', 'b'),
    ];
    const organization = preference('a/one', ['b/two']);
    expect(selected(stored({ credentials, organization }))).toEqual([
      ['a', ['o2', 'o1']],
      ['b', ['pb']],
    ]);
  });

  it("stay on the organization's own accounts when the chain is that of the platform", () => {
    const credentials = [credential('o1', 'a', own), credential('pb', 'b')];
    expect(selected(stored({ credentials }))).toEqual([['a', ['o1']]]);
  });

  it('do not go over to the platform when the breaker of the own credential is open', () => {
    const breaker = { state: 'open', reason: 'money', remainingMs: null } as const;
    const credentials = [credential('o1', 'a', { ...own, breaker }), credential('pa', 'a')];
    expect(selected(stored({ credentials }))).toEqual([['a', ['o1']]]);
  });

  it.each<[string, Partial<CatalogModel>]>([
    ['retired', { lifecycle: 'retired' }],
    ['without the capability', { capabilities: ['images'] }],
  ])('pass over a default that is %s, and refuse it when it is named', (_, changes) => {
    const models = [catalogModel('a/one', changes), catalogModel('b/two')];
    expect(selected(stored({ models }))).toEqual([['b', ['pb']]]);
    expect(() => selected(stored({ models }), 'a/one')).toThrow(ModelIsNotFound);
  });

  it('are refused when the catalog has none of them', () => {
    expect(() => selected(stored({ models: [] }))).toThrow(ModelIsNotFound);
  });

  it('pass over a default without a credential, and are refused when none or the named one has none', () => {
    expect(selected(stored({ credentials: [credential('pb', 'b')] }))).toEqual([['b', ['pb']]]);
    for (const [credentials, named] of [
      [[], null],
      [[credential('pb', 'b')], 'a/one'],
    ] as const)
      expect(() => selected(stored({ credentials }), named)).toThrow(NoCredentialIsUsable);
  });
});
