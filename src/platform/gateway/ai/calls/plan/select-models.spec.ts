import type { Preference } from '../../models/domain/choice.js';
import { ModelIsNotFound } from '../../models/model.errors.js';
import { NoCredentialIsUsable } from '../../ai.errors.js';
import { type Circuit, CLOSED } from './plan.js';
import { acceptsOf } from '../../providers/ai-providers.js';
import { type CatalogModel, selectModels, type Stored, type StoredCredential } from './select-models.js';

const catalogModel = (ref: string, changes: Partial<CatalogModel> = {}): CatalogModel => {
  const [provider = '', model = ''] = ref.split('/');
  return {
    ...{ provider, model, contextWindow: null, maxOutputTokens: null, mayReason: false, prices: null },
    accepts: acceptsOf('openai', model),
    lifecycle: 'active',
    retiresAt: null,
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
const preference = (defaultModel: string, fallbackChain: string[] = []): Preference => ({
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

  it('say which model was chosen, also when another one leads', () => {
    const models = [catalogModel('a/one', { lifecycle: 'retired' }), catalogModel('a/two')];
    const platform = preference('a/one', ['a/two']);
    const found = stored({ platform, models, credentials: [credential('pa', 'a')] });
    expect(selectModels(found, 'completions', null)).toMatchObject({
      chosen: 'a/one',
      models: [{ model: 'two' }],
    });
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

  it.each<[string, Partial<CatalogModel> | null]>([
    ['retired', { lifecycle: 'retired' }],
    ['without the capability', { capabilities: ['images'] }],
    ['unknown', null],
  ])("stay on the organization's own accounts when the default is %s", (_, changes) => {
    const credentials = [credential('o1', 'a', own), credential('pb', 'b')];
    const others = [catalogModel('b/two'), catalogModel('a/three')];
    const models = changes ? [catalogModel('a/one', changes), ...others] : others;
    const platform = preference('a/one', ['b/two', 'a/three']);
    expect(selected(stored({ platform, models, credentials }))).toEqual([['a', ['o1']]]);
    const withoutOther = { models: models.filter(({ model }) => model !== 'three'), credentials };
    expect(() => selected(stored(withoutOther))).toThrow(ModelIsNotFound);
    const organization = preference('a/one', ['b/two']);
    expect(selected(stored({ ...withoutOther, organization }))).toEqual([['b', ['pb']]]);
  });

  it("stay on the organization's own accounts when the default has no credential at all", () => {
    const platform = preference('a/one', ['b/two', 'c/three']);
    const models = ['a/one', 'b/two', 'c/three'].map((ref) => catalogModel(ref));
    const credentials = [credential('o1', 'b', own), credential('pc', 'c')];
    expect(selected(stored({ platform, models, credentials }))).toEqual([['b', ['o1']]]);
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

  it.each<[string, Partial<CatalogModel>, string, object]>([
    [
      'the day, where it is known',
      { retiresAt: '2026-10-23' },
      'The provider retired the model a/one on 2026-10-23. Use another one of GET /api/models.',
      { retiresAt: '2026-10-23' },
    ],
    [
      'where others are listed',
      {},
      'The provider retired the model a/one. Use another one of GET /api/models.',
      { retiresAt: null },
    ],
  ])('that are retired are refused with %s, named or as the default', (_, changes, message, members) => {
    const models = [catalogModel('a/one', { lifecycle: 'retired', ...changes })];
    const platform = preference('a/one');
    for (const named of ['a/one', null])
      expect(() => selected(stored({ models, platform }), named)).toThrow(
        expect.objectContaining({ code: 'model_retired', message, members: { model: 'a/one', ...members } }),
      );
  });

  it.each([
    ['of the organization, as that says', ['b/two'], true],
    ['of the platform, as the platform says', null, false],
  ])('continue after a refusal by a content policy with a chain %s', (_, fallbackChain, expected) => {
    const organization = { ...preference('a/one'), fallbackChain, fallbackOnPolicy: true };
    expect(selectModels(stored({ organization }), 'completions', null).fallbackOnPolicy).toBe(expected);
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
