import { effectivePreference, modelsToTry, type Preference } from './choice.js';
import { ModelIsNotAllowed, ModelOverrideIsNotPermitted, NoModelIsConfigured } from '../model.errors.js';

const preference = (changes: Partial<Preference> = {}): Preference => ({
  defaultModel: 'openai/a',
  allowedModels: ['openai/a', 'google/b', 'openai/c'],
  fallbackChain: ['google/b', 'openai/c'],
  fallbackOnPolicy: false,
  ...changes,
});
const named = (model: string, isPermitted = true) => ({ model, isPermitted });

describe('models of a request', () => {
  it('are the default and then the fallback chain', () => {
    expect(modelsToTry(preference(), 'images', null)).toEqual(['openai/a', 'google/b', 'openai/c']);
  });

  it('GW-23: begin with the model that the request names, and leave the preference as it is', () => {
    const stored = preference();
    const before = structuredClone(stored);
    expect(modelsToTry(stored, 'images', named('openai/c'))).toEqual(['openai/c', 'google/b']);
    expect(stored).toEqual(before);
  });

  it('GW-23: are refused when the named model is outside of the allowed ones', () => {
    expect(() => modelsToTry(preference(), 'images', named('openai/x'))).toThrow(ModelIsNotAllowed);
  });

  it('GW-23: are refused when the caller may not choose, allowed or not', () => {
    for (const model of ['openai/c', 'openai/x'])
      expect(() => modelsToTry(preference(), 'images', named(model, false))).toThrow(
        ModelOverrideIsNotPermitted,
      );
  });

  it('are not refused to a caller without permission that names the default', () => {
    expect(modelsToTry(preference(), 'images', named('openai/a', false))[0]).toBe('openai/a');
  });

  it('contain no fallback that is not allowed', () => {
    const narrowed = preference({ allowedModels: ['openai/a', 'openai/c'] });
    expect(modelsToTry(narrowed, 'images', null)).toEqual(['openai/a', 'openai/c']);
  });

  it('need a default or a name', () => {
    const empty = preference({ defaultModel: null, allowedModels: null });
    expect(() => modelsToTry(empty, 'images', null)).toThrow(NoModelIsConfigured);
    expect(modelsToTry(empty, 'images', named('openai/x'))[0]).toBe('openai/x');
  });
});

describe('the preference that applies', () => {
  const platform = preference();

  it('is that of the platform for an organization without one', () => {
    expect(effectivePreference(platform, null)).toEqual(platform);
  });

  it('is that of the organization, with the default of the platform when it has none', () => {
    const own = preference({ defaultModel: null, allowedModels: null, fallbackChain: [] });
    expect(effectivePreference(platform, own)).toEqual({
      defaultModel: 'openai/a',
      allowedModels: platform.allowedModels,
      fallbackChain: [],
      fallbackOnPolicy: false,
    });
  });

  it('has the chain of the platform for an organization without one', () => {
    const own = preference({ defaultModel: 'openai/c', fallbackChain: null });
    expect(effectivePreference(platform, own).fallbackChain).toEqual(platform.fallbackChain);
  });

  it('never allows what the platform does not', () => {
    const own = preference({ allowedModels: ['openai/x', 'openai/c'] });
    expect(effectivePreference(platform, own).allowedModels).toEqual(['openai/c']);
  });

  it('is empty when nothing is stored', () => {
    expect(effectivePreference(null, null)).toEqual({
      defaultModel: null,
      allowedModels: null,
      fallbackChain: [],
      fallbackOnPolicy: false,
    });
  });

  it.each([
    ['of the organization', [], true],
    ['of the platform', null, false],
  ])('continues after a refusal by a content policy as the owner of the chain says: %s', (_, chain, says) => {
    const own = preference({ fallbackChain: chain, fallbackOnPolicy: true });
    expect(effectivePreference(platform, own).fallbackOnPolicy).toBe(says);
    const other = preference({ fallbackChain: chain, fallbackOnPolicy: false });
    expect(effectivePreference({ ...platform, fallbackOnPolicy: true }, other).fallbackOnPolicy).toBe(!says);
  });
});
