import { type Answer, outputTokens } from '../answers/answer.js';
import { type Prompt, textOfPrompt } from '../answers/prompt.js';
import { countTokens } from '../answers/tokens.js';
import { type BilledUsage, NOTHING_USED } from '../provider/bill.js';

const TOKENS_PER_TURN = 4;
export const TOKENS_PER_IMAGE = 258;
const AUDIO_TOKENS_PER_SECOND = 32;

export interface InputTokens {
  readonly text: number;
  readonly image: number;
  readonly audio: number;
}

export function inputTokensOf(prompt: Prompt, audioSeconds: number): InputTokens {
  const images = prompt.turns.reduce((sum, turn) => sum + turn.images, 0);
  return {
    text: countTokens(textOfPrompt(prompt)) + prompt.turns.length * TOKENS_PER_TURN,
    image: images * TOKENS_PER_IMAGE,
    audio: Math.ceil(audioSeconds * AUDIO_TOKENS_PER_SECOND),
  };
}

export const sumOf = ({ text, image, audio }: InputTokens): number => text + image + audio;

/** @param cache how much of the input was read from and written to the cache */
export function usageOf(
  input: InputTokens,
  cache: { readonly read: number; readonly written: number },
  answer: Answer,
): BilledUsage {
  const cachedInputTokens = Math.min(cache.read, input.text);
  const cacheWriteTokens = Math.min(cache.written, input.text - cachedInputTokens);
  return {
    ...NOTHING_USED,
    inputTokens: input.text - cachedInputTokens - cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    inputImageTokens: input.image,
    inputAudioTokens: input.audio,
    outputTokens: outputTokens(answer) + answer.reasoningTokens,
  };
}
