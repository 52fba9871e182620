import { acceptsOf } from './ai-providers.js';

describe('what a model accepts', () => {
  it.each([
    ['openai', 'gpt-4o-mini', 2],
    ['openai', 'gpt-5-chat-latest', 2],
    ['openai', 'gpt-5.4-mini', 2],
    ['openai', 'gpt-5', null],
    ['openai', 'gpt-5-mini-2025-08-07', null],
    ['openai', 'gpt-5.6-terra', null],
    ['openai', 'gpt-6-luna', null],
    ['openai', 'o4-mini', null],
    ['openai', 'a-model-of-tomorrow', null],
    ['openrouter', 'openai/gpt-6-luna', 2],
    ['anthropic', 'claude-sonnet-4-20250514', 1],
    ['anthropic', 'claude-haiku-4-5', 1],
    ['anthropic', 'claude-opus-4-6', 1],
    ['anthropic', 'claude-opus-4-7', null],
    ['anthropic', 'claude-opus-5-5', null],
    ['anthropic', 'claude-sonnet-5', null],
    ['google', 'gemini-3.8-flash', 2],
  ])('has as the highest temperature of %s/%s %s', (provider, model, expected) => {
    expect(acceptsOf(provider, model).maxTemperature).toBe(expected);
  });

  it.each([
    ['gpt-4o-mini', 'always'],
    ['gpt-5', 'always'],
    ['gpt-5.4', 'always'],
    ['gpt-5.6', 'without-reasoning'],
    ['gpt-5.10-x', 'without-reasoning'],
    ['gpt-6-luna', 'without-reasoning'],
  ])('takes tools of openai/%s: %s', (model, expected) => {
    expect(acceptsOf('openai', model).tools).toBe(expected);
  });

  it.each([
    ['anthropic', 'claude-sonnet-5', 'closed'],
    ['anthropic', 'claude-haiku-4-5-20251001', 'closed'],
    ['anthropic', 'claude-3-5-sonnet-latest', 'never'],
    ['anthropic', 'claude-sonnet-4-20250514', 'never'],
    ['openrouter', 'anthropic/claude-opus-5.5', 'closed'],
    ['google', 'gemini-3.8-flash', 'any'],
  ])('takes schemas at %s/%s: %s', (provider, model, expected) => {
    expect(acceptsOf(provider, model).schema).toBe(expected);
  });

  it('is what the catalog says, unless a page of the vendor says another thing', () => {
    const facts = { temperature: true, tools: false, schema: false, stop: false };
    expect(acceptsOf('openai', 'a-model-of-tomorrow', facts)).toMatchObject({
      ...{ maxTemperature: 2, tools: 'never', schema: 'never', stop: false },
    });
    expect(acceptsOf('anthropic', 'claude-opus-5-5', { temperature: true }).maxTemperature).toBeNull();
    expect(acceptsOf('google', 'gemini-4', { temperature: false }).maxTemperature).toBeNull();
  });
});
