import { mayReason, parseModelRef } from './model-ref.js';

describe('a model', () => {
  it.each([
    'openai/gpt-4o-mini',
    'openai/gpt-4.1',
    'openai/chatgpt-4o-latest',
    'anthropic/claude-3-5-haiku-latest',
    'anthropic/claude-opus-4-5',
    'anthropic/claude-sonnet-4-20250514',
    'google/gemini-2.0-flash-001',
    'openrouter/openai/gpt-4o',
    'openrouter/anthropic/claude-3.5-sonnet',
  ])('%s has no hidden output', (name) => {
    expect(mayReason(parseModelRef(name) as never)).toBe(false);
  });

  it.each([
    'openai/gpt-5.4-mini',
    'openai/o4-mini',
    'openai/a-model-of-tomorrow',
    'anthropic/claude-opus-4-6',
    'anthropic/claude-opus-5-5',
    'google/gemini-2.5-flash',
    'google/gemini-2.0-flash-thinking-exp',
    'openrouter/anthropic/claude-3.7-sonnet:thinking',
    'openrouter/deepseek/deepseek-r1',
    'openrouter/auto',
    'constructor/gpt-4',
  ])('%s may have hidden output', (name) => {
    expect(mayReason(parseModelRef(name) as never)).toBe(true);
  });
});
