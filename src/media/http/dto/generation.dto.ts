import { ApiProperty } from '@nestjs/swagger';
import type { GenerationAttempt } from '../../domain/generation.js';

export class GenerationAttemptDto {
  @ApiProperty({ example: 'openai' })
  provider!: string;

  @ApiProperty({ description: 'The provider’s own name of the model.', example: 'gpt-image-2' })
  model!: string;

  @ApiProperty({
    description: 'Whether the credential of the organization or that of the platform was used.',
    enum: ['own', 'platform'],
    example: 'platform',
  })
  credential!: GenerationAttempt['credential'];

  @ApiProperty({ description: '`answered`, or the kind of the failure.', example: 'answered' })
  outcome!: string;

  @ApiProperty({ type: 'integer', example: 8_200 })
  milliseconds!: number;
}

export class GenerationDto {
  @ApiProperty({ example: 'A lighthouse at dawn, flat colours' })
  prompt!: string;

  @ApiProperty({
    description: 'What the provider used in place of the prompt; null: the prompt itself.',
    type: 'string',
    nullable: true,
    example: null,
  })
  revisedPrompt!: string | null;

  @ApiProperty({ description: '`provider/model` that made it.', example: 'openai/gpt-image-2' })
  model!: string;

  @ApiProperty({
    description:
      'The model that the request named, or the default of the organization: another than `model` when the request fell back. null: not recorded.',
    type: 'string',
    nullable: true,
    example: 'openai/gpt-image-2',
  })
  requestedModel!: string | null;

  @ApiProperty({
    description: 'US dollars as decimal text, of the attempt that made it; null: not known.',
    type: 'string',
    nullable: true,
    example: '0.04',
  })
  cost!: string | null;

  @ApiProperty({
    description: 'Calls to providers, in their order.',
    type: () => [GenerationAttemptDto],
  })
  attempts!: readonly GenerationAttemptDto[];

  @ApiProperty({
    description: 'Of the request in the usage report of the provider gateway.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e21',
  })
  requestId!: string;
}
