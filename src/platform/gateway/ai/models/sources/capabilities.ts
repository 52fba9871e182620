import type { AiProviderName } from '../../providers/names.js';
import type { AiCapability } from '../../../access/attribution.js';

type Rule = readonly [pattern: RegExp, capabilities: readonly AiCapability[] | null];

/** Models that no route of the gateway serves. */
const OTHER_KINDS =
  /embed|moderation|tts|realtime|-live|veo|sora|imagen|lyria|rerank|computer-use|robotics|aqa/;

/**
 * What the name of a model tells, because list routes name models of all kinds. The first pattern decides; null: no route serves the
 * model. OpenAI serves `-pro`, codex and research models by its route for responses only (developers.openai.com, models).
 */
const RULES: Readonly<Record<AiProviderName, readonly Rule[]>> = {
  openai: [
    [/^(gpt-image|chatgpt-image|dall-e)/, ['images']],
    [/^whisper|transcribe/, ['transcriptions']],
    [OTHER_KINDS, null],
    [
      /-pro(-|$)|codex|deep-research|audio|instruct|-image|^(ada|babbage|curie|davinci|text-|ft:)|\.ft-/,
      null,
    ],
    [/^(gpt-|chatgpt-|o\d)/, ['completions']],
  ],
  anthropic: [[/^claude-/, ['completions']]],
  google: [
    [OTHER_KINDS, null],
    [/^gemini.*-image/, ['images']],
    [/audio|omni/, null],
    [/^(gemini|gemma)-/, ['completions']],
    [/^claude/, null],
  ],
  openrouter: [
    [OTHER_KINDS, null],
    [/whisper|transcribe|-image/, null],
    [/\//, ['completions']],
    [/^/, null],
  ],
};

/** null: no route serves the model. Empty: the name tells nothing. */
export const capabilitiesByName = (provider: AiProviderName, id: string): readonly AiCapability[] | null => {
  const rule = RULES[provider].find(([pattern]) => pattern.test(id));
  return rule ? rule[1] : [];
};
