import { NO_USAGE } from '../../usage/spend/quantities.js';
import { anthropicUsage, laterUsage } from '../anthropic/messages-response.js';
import { googleUsage, sumOf } from '../google/google-usage.js';
import { chatUsage, imageUsage, transcriptionUsage } from '../openai/openai-usage.js';

const usage = (counted: Partial<typeof NO_USAGE>) => ({ ...NO_USAGE, ...counted });

describe('usage of chat completions', () => {
  it('takes cached tokens out of the prompt, and keeps reasoning in the output', () => {
    const counted = {
      prompt_tokens: 1_000,
      prompt_tokens_details: { cached_tokens: 600, audio_tokens: 50, cache_write_tokens: 100 },
      completion_tokens: 300,
      completion_tokens_details: { reasoning_tokens: 200 },
    };
    expect(chatUsage(counted)).toEqual(
      usage({
        inputTokens: 250,
        cachedInputTokens: 600,
        cacheWriteTokens: 100,
        inputAudioTokens: 50,
        outputTokens: 300,
      }),
    );
  });

  it('counts no token twice when details say more than the total', () => {
    const details = { cached_tokens: 9, audio_tokens: 9, cache_write_tokens: 9 };
    const counted = { prompt_tokens: 10, completion_tokens: 1, prompt_tokens_details: details };
    expect(chatUsage(counted)).toEqual(usage({ cachedInputTokens: 9, cacheWriteTokens: 1, outputTokens: 1 }));
  });

  it('is zero when zero is said', () => {
    expect(chatUsage({ prompt_tokens: 0, completion_tokens: 0 })).toEqual(NO_USAGE);
  });

  it.each([
    undefined,
    null,
    {},
    { prompt_tokens: 5 },
    { completion_tokens: 5 },
    { prompt_tokens: '5', completion_tokens: 1 },
    { prompt_tokens: -1, completion_tokens: 1 },
    { prompt_tokens: 1.5, completion_tokens: 1 },
    { prompt_tokens: 1e300, completion_tokens: 1 },
    { prompt_tokens: 1, completion_tokens: 1_000_000_001 },
    [],
  ])('is not known, and not zero, with %j', (counted) => {
    expect(chatUsage(counted)).toBeNull();
  });
});

describe('usage of images', () => {
  it('tells text and image tokens of the input apart, and counts output as image tokens', () => {
    const counted = {
      input_tokens: 50,
      input_tokens_details: { text_tokens: 10, image_tokens: 40 },
      output_tokens: 4_160,
    };
    expect(imageUsage(counted, 2)).toEqual(
      usage({ inputTokens: 10, inputImageTokens: 40, outputImageTokens: 4_160, images: 2 }),
    );
  });

  it('reads text in the output only where details say so', () => {
    const counted = {
      input_tokens: 5,
      output_tokens: 100,
      output_tokens_details: { text_tokens: 30, image_tokens: 70 },
    };
    expect(imageUsage(counted, 1)).toEqual(
      usage({ inputTokens: 5, outputTokens: 30, outputImageTokens: 70, images: 1 }),
    );
  });

  it('does not read the details of transcriptions, and is not known without counts', () => {
    const counted = { input_tokens: 50, input_token_details: { image_tokens: 40 }, output_tokens: 1 };
    expect(imageUsage(counted, 1)).toMatchObject({ inputTokens: 50, inputImageTokens: 0 });
    expect(imageUsage(undefined, 1)).toBeNull();
    expect(imageUsage({ output_tokens: 1 }, 1)).toBeNull();
  });
});

describe('usage of transcriptions', () => {
  it('is tokens, audio and text apart', () => {
    const counted = {
      type: 'tokens',
      input_tokens: 120,
      input_token_details: { audio_tokens: 100, text_tokens: 20 },
      output_tokens: 30,
    };
    expect(transcriptionUsage(counted)).toEqual(
      usage({ inputAudioTokens: 100, inputTokens: 20, outputTokens: 30 }),
    );
  });

  it('is audio without details, and does not read the details of images', () => {
    const counted = {
      type: 'tokens',
      input_tokens: 9,
      input_tokens_details: { text_tokens: 5 },
      output_tokens: 1,
    };
    expect(transcriptionUsage(counted)).toEqual(usage({ inputAudioTokens: 9, outputTokens: 1 }));
  });

  it('is seconds', () => {
    expect(transcriptionUsage({ type: 'duration', seconds: 12.5 })).toEqual(usage({ audioSeconds: 12.5 }));
    expect(transcriptionUsage({ type: 'duration', seconds: 0 })).toEqual(NO_USAGE);
  });

  it.each([
    undefined,
    { type: 'duration' },
    { type: 'duration', seconds: -1 },
    { type: 'duration', seconds: 1e300 },
    { type: 'tokens' },
    { type: 'tokens', input_tokens: 1e15, output_tokens: 1 },
  ])('is not known with %j', (counted) => expect(transcriptionUsage(counted)).toBeNull());
});

describe('usage of Anthropic messages', () => {
  it('adds the cache to the input', () => {
    const counted = {
      input_tokens: 100,
      cache_creation_input_tokens: 50,
      cache_read_input_tokens: 900,
      output_tokens: 20,
    };
    expect(anthropicUsage(counted)).toEqual(
      usage({ inputTokens: 100, cacheWriteTokens: 50, cachedInputTokens: 900, outputTokens: 20 }),
    );
  });

  it('replaces totals by later ones, and keeps those that are not said again', () => {
    const start = { input_tokens: 100, cache_read_input_tokens: 5, output_tokens: 1 };
    const later = laterUsage(laterUsage(start, { output_tokens: 40 }), {
      output_tokens: 90,
      input_tokens: null,
      cache_read_input_tokens: undefined,
    });
    expect(anthropicUsage(later)).toEqual(
      usage({ inputTokens: 100, cachedInputTokens: 5, outputTokens: 90 }),
    );
    expect(anthropicUsage(laterUsage(start, { output_tokens: 0 }))).toMatchObject({ outputTokens: 0 });
  });

  it.each([
    undefined,
    {},
    { input_tokens: 5 },
    { output_tokens: 5 },
    { input_tokens: 1, output_tokens: 1e15 },
    { input_tokens: 1, cache_read_input_tokens: 1e15, output_tokens: 1 },
  ])('is not known with %j', (counted) => expect(anthropicUsage(counted)).toBeNull());
});

describe('usage of Google', () => {
  it('takes the cache out of the prompt and adds thoughts to the output', () => {
    const counted = {
      promptTokenCount: 1_000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 100,
      thoughtsTokenCount: 50,
      toolUsePromptTokenCount: 7,
    };
    expect(googleUsage(counted)).toEqual(
      usage({ inputTokens: 607, cachedInputTokens: 400, outputTokens: 150 }),
    );
  });

  it('tells modalities apart, less what was cached of each', () => {
    const counted = {
      promptTokenCount: 1_000,
      promptTokensDetails: [
        { modality: 'TEXT', tokenCount: 200 },
        { modality: 'IMAGE', tokenCount: 500 },
        { modality: 'AUDIO', tokenCount: 300 },
      ],
      cachedContentTokenCount: 250,
      cacheTokensDetails: [{ modality: 'IMAGE', tokenCount: 250 }],
      candidatesTokenCount: 10,
    };
    expect(googleUsage(counted)).toEqual(
      usage({
        inputTokens: 200,
        inputImageTokens: 250,
        inputAudioTokens: 300,
        cachedInputTokens: 250,
        outputTokens: 10,
      }),
    );
  });

  it('counts output as image tokens by its details, or all of it when there is an image', () => {
    const details = [
      { modality: 'TEXT', tokenCount: 30 },
      { modality: 'IMAGE', tokenCount: 1_290 },
    ];
    const counted = { promptTokenCount: 5, candidatesTokenCount: 1_320, thoughtsTokenCount: 8 };
    expect(googleUsage({ ...counted, candidatesTokensDetails: details }, 1)).toMatchObject({
      outputTokens: 38,
      outputImageTokens: 1_290,
      images: 1,
    });
    expect(googleUsage(counted, 1)).toMatchObject({ outputTokens: 8, outputImageTokens: 1_320 });
  });

  it('is zero output where protocol buffers leave it out, and not known without the prompt', () => {
    expect(googleUsage({ promptTokenCount: 12, totalTokenCount: 12 })).toEqual(usage({ inputTokens: 12 }));
    expect(googleUsage({})).toBeNull();
    expect(googleUsage(undefined)).toBeNull();
    expect(googleUsage({ candidatesTokenCount: 3 })).toBeNull();
    expect(googleUsage({ promptTokenCount: 3, thoughtsTokenCount: 1e15 })).toBeNull();
  });

  it('adds several responses, and is not known when one is not', () => {
    const one = usage({ inputTokens: 1, images: 1 });
    expect(sumOf([one, one, one])).toEqual(usage({ inputTokens: 3, images: 3 }));
    expect(sumOf([one, null])).toBeNull();
  });
});
