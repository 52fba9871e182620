import { type ModelRef, parseModelRef } from './model-ref.js';

/**
 * Models that write nothing hidden unless a request asks for it, which none of ours does. By name, because most list routes and price lists
 * do not say it. Sources: the vendors' lists of models.
 */
const WITHOUT_REASONING: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    openai: /^(gpt-3\.5|gpt-4|chatgpt-4)/,
    anthropic: /^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-5])?(-latest|-\d{8})?$)/,
    google: /^(gemini-1|gemini-2\.0|gemma-[123])/,
  }),
);
const NAMED_AFTER_REASONING = /think|reason/;

/** Whether the output of a model can have hidden tokens that are billed. Every model that is not known counts as such. */
export function mayReason({ provider, model }: ModelRef): boolean {
  const vendor = provider === 'openrouter' ? parseModelRef(model) : { provider, model };
  if (!vendor || NAMED_AFTER_REASONING.test(vendor.model)) return true;
  return !WITHOUT_REASONING.get(vendor.provider)?.test(vendor.model);
}
