import { ACCEPTS, type AiProviderDeclaration } from '../ai-provider.types.js';
import { AnthropicWire } from './anthropic-wire.js';

export const anthropic: AiProviderDeclaration = {
  name: 'anthropic',
  address: {
    variable: 'ANTHROPIC_URL',
    description: 'Base address of the Anthropic API, without /v1.',
    default: 'https://api.anthropic.com',
  },
  wire: AnthropicWire,
  accepts: { ...ACCEPTS, schema: 'closed' },
  maxTemperature: 1,
  acceptsByName: [
    [/^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-6])?(-latest|-\d{8})?$)/, { temperature: true }],
    [/^claude-(opus-4-([7-9]|\d\d(?!\d))|[a-z]+-([5-9]|\d\d(?!\d)))/, { temperature: false }],
    [/^claude-([23]|instant|(opus|sonnet)-4(-0)?(-latest|-\d{8})?$)/, { schema: 'never' }],
  ],
  serves: [[/^claude-/, ['completions']]],
  withoutReasoning: /^claude-([23]|instant|(opus|sonnet|haiku)-4(-[0-5])?(-latest|-\d{8})?$)/,
};
