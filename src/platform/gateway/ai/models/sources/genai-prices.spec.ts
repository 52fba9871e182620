import { readFileSync } from 'node:fs';
import { NO_USAGE } from '../../usage/spend/quantities.js';
import { costOf, dollarsOf, isPriced, pricesAt } from '../domain/prices.js';
import { pricedAs, seed, SEED_VERSION } from './genai-prices.js';

const { entries } = seed();
const of = (provider: string, id: string) =>
  entries.find((entry) => entry.provider === provider && entry.id === id);
const priceOn = (provider: string, id: string, day: string) =>
  pricesAt(of(provider, id)?.prices ?? [], new Date(`${day}T12:00:00Z`));

describe('the seed of the catalog', () => {
  it('has the version of the package, which is pinned', () => {
    const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(SEED_VERSION).toMatch(new RegExp(`^${dependencies['@pydantic/genai-prices']}\\.\\d+$`));
  });

  it.each([
    ['openai', 'gpt-5', ['completions']],
    ['openai', 'gpt-image-2', ['images']],
    ['openai', 'gpt-transcribe', ['transcriptions']],
    ['openai', 'text-embedding-3-small', null],
    ['openai', 'o3-pro', null],
    ['anthropic', 'claude-opus-5-5', ['completions']],
    ['google', 'gemini-3.8-flash', ['completions']],
    ['google', 'gemini-3.1-flash-image-preview', ['images']],
  ])('knows what %s/%s serves', (provider, id, capabilities) =>
    expect(of(provider, id)?.capabilities).toEqual(capabilities),
  );

  it('marks models as deprecated or retired as the package does', () => {
    expect(of('google', 'gemini-2.5-flash-preview')?.stage).toBe('deprecated');
    expect(of('anthropic', 'claude-v1')?.stage).toBe('retired');
    expect(of('openai', 'gpt-5')?.stage).toBe('active');
  });

  it('has prices that change on a day', () => {
    expect(priceOn('openai', 'o3', '2025-06-09')).toMatchObject({ inputTokens: '10' });
    expect(priceOn('openai', 'o3', '2025-06-10')).toMatchObject({ inputTokens: '2', outputTokens: '8' });
    expect(priceOn('google', 'gemini-3.8-flash', '2026-12-31')).toMatchObject({ inputTokens: '0.75' });
    expect(priceOn('google', 'gemini-3.8-flash', '2027-01-01')).toMatchObject({ inputTokens: '1.5' });
  });

  it('has tiers by the size of the input', () => {
    const prices = priceOn('openai', 'gpt-5.6-terra', '2026-11-23');
    const usage = { ...NO_USAGE, outputTokens: 1_000_000 };
    expect(dollarsOf(costOf(prices, { ...usage, inputTokens: 271_999 }) ?? 0n)).toBe('12.543998');
    expect(dollarsOf(costOf(prices, { ...usage, inputTokens: 272_000 }) ?? 0n)).toBe('19.088');
  });

  it('prices images of OpenAI at the rate of images, also where the package has one rate for the response', () => {
    const images = { ...NO_USAGE, inputTokens: 10, outputImageTokens: 1_000_000, images: 1 };
    expect(costOf(priceOn('openai', 'gpt-image-2', '2026-11-23'), images)).toBe(30_000_050_000n);
    expect(costOf(priceOn('openai', 'gpt-image-1.5', '2026-11-23'), images)).toBe(32_000_050_000n);
  });

  it('prices audio by the hour or by token', () => {
    expect(priceOn('openai', 'whisper-1', '2026-11-23')).toEqual({ audioHours: '0.36' });
    expect(priceOn('openai', 'gpt-4o-transcribe', '2026-11-23')).toMatchObject({ inputAudioTokens: '6' });
  });

  it('has a price for most models, and none that is not positive', () => {
    const lists = entries.flatMap(({ prices }) => prices);
    expect(lists.length).toBeGreaterThan(600);
    expect(lists.filter(({ prices }) => isPriced(prices)).length).toBeGreaterThan(lists.length * 0.9);
  });

  it.each([
    ['openai', 'gpt-5-2025-08-07', 'gpt-5'],
    ['openai', 'gpt-5.6-terra-2026-07-09', 'gpt-5.6-terra'],
    ['anthropic', 'claude-opus-5-5-20260901', 'claude-opus-5-5'],
    ['google', 'gemini-3.1-flash-image', 'gemini-3.1-flash-image-preview'],
    ['openai', 'a-model-of-tomorrow', null],
    ['anthropic', 'claude-sonnet-5-9', null],
    ['anthropic', 'claude-sonnet-5-20260801', 'claude-sonnet-5'],
    ['anthropic', 'claude-3-5-haiku-20241022', 'claude-3-5-haiku-latest'],
    ['google', 'claude-opus-5-5', 'claude-opus-5-5'],
    ['no-provider', 'gpt-5', null],
  ])('prices the name %s/%s as %s', (provider, name, expected) =>
    expect(pricedAs(provider, name)).toBe(expected),
  );
});
