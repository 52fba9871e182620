import { is, shape } from '#libs/http';
import type { GenerationAttempt } from '../../domain/generation.js';

export class GenerationAttemptDto extends shape({
  provider: is.text({ example: 'openai' }),
  model: is.text({ description: 'The provider’s own name of the model.', example: 'gpt-image-2' }),
  credential: is.text<GenerationAttempt['credential']>({
    description: 'Whether the credential of the organization or that of the platform was used.',
    enum: ['own', 'platform'],
    example: 'platform',
  }),
  outcome: is.text({ description: '`answered`, or the kind of the failure.', example: 'answered' }),
  milliseconds: is.integer({ example: 8_200 }),
}) {}

export class GenerationDto extends shape({
  prompt: is.text({ example: 'A lighthouse at dawn, flat colours' }),
  revisedPrompt: is.text({
    description: 'What the provider used in place of the prompt; null: the prompt itself.',
    example: null,
  }).orNull,
  model: is.text({ description: '`provider/model` that made it.', example: 'openai/gpt-image-2' }),
  requestedModel: is.text({
    description:
      'The model that the request named, or the default of the organization: another than `model` when the request fell back. null: not recorded.',
    example: 'openai/gpt-image-2',
  }).orNull,
  cost: is.text({
    description: 'US dollars as decimal text, of the attempt that made it; null: not known.',
    example: '0.04',
  }).orNull,
  attempts: is.list(() => GenerationAttemptDto, { description: 'Calls to providers, in their order.' }),
  requestId: is.uuid({
    description: 'Of the request in the usage report of the provider gateway.',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e21',
  }),
}) {}
