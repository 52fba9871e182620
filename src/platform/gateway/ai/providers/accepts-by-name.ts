import type { Accepts } from './accepts.types.js';
import type { AiProviderName } from './names.js';

/** What differs from the default of the provider. */
export type AcceptedByName = Partial<Omit<Accepts, 'maxTemperature'>> & { readonly temperature?: boolean };

type Rule = readonly [pattern: RegExp, accepted: AcceptedByName];

/**
 * What models take by name; every pattern that fits counts. Collected 2026-11-28 from public issue threads of client libraries, in which
 * users quote refusals of the providers, and not from the vendors' pages. That tools need `reasoning_effort: none` is what such a refusal
 * says. Verify a rule against the vendor's page before it is extended.
 */
const RULES: Readonly<Record<AiProviderName, readonly Rule[]>> = {
  openai: [
    [/^(gpt-3\.5|gpt-4|chatgpt-4|gpt-5\.[1-4](?!\d)|gpt-5.*-chat)/, { temperature: true }],
    [/^(o\d|gpt-5(?![.\d])(?!.*-chat)|gpt-5\.([5-9]|\d\d)|gpt-([6-9]|\d\d)(?!\d))/, { temperature: false }],
    [/^gpt-(5\.([5-9]|\d\d)|([6-9]|\d\d)(?!\d))/, { tools: 'without-reasoning' }],
    [/^(o3|o4-mini|gpt-5(?![.\d])(?!.*-chat))/, { stop: false }],
    [/^gpt-image-1(?!\d)/, { imageSizes: 'three' }],
  ],
  openrouter: [[/^anthropic\//, { schema: 'closed' }]],
  anthropic: [
    [/^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-6])?(-latest|-\d{8})?$)/, { temperature: true }],
    [/^claude-(opus-4-([7-9]|\d\d(?!\d))|[a-z]+-([5-9]|\d\d(?!\d)))/, { temperature: false }],
    [/^claude-([23]|instant|(opus|sonnet)-4(-0)?(-latest|-\d{8})?$)/, { schema: 'never' }],
  ],
  google: [
    [/^gemini-[12]\b/, { signatures: false }],
    [/^gemini-2.*-image/, { imageSizes: 'ratio' }],
  ],
};

export const acceptedByName = (provider: AiProviderName, model: string): AcceptedByName =>
  Object.assign(
    {},
    ...RULES[provider].filter(([pattern]) => pattern.test(model)).map(([, one]) => one),
  ) as AcceptedByName;
