import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsObject, IsString, Matches, MaxLength } from 'class-validator';
import { is, shape, WhenSent } from '#libs/http';
import type { UnaryAnswer } from '../../calls/call/unary-calls.js';
import type { Transcript } from '../../providers/wires/wire.js';
import { AnswerDto } from './answer.dto.js';
import { AiRequestDto } from './request.dto.js';

/** The fields of the form besides the file. */
export class TranscriptionRequestDto extends AiRequestDto {
  @ApiPropertyOptional({
    pattern: '^[a-z]{2,3}$',
    example: 'en',
    description: 'ISO 639. Left out: the provider detects it.',
  })
  @WhenSent()
  @Matches(/^[a-z]{2,3}$/, { message: 'must be a language of ISO 639, such as en' })
  language?: string;

  @ApiPropertyOptional({
    maxLength: 4000,
    example: 'Acme, Ada Lovelace',
    description: 'Names and words that the recording has.',
  })
  @WhenSent()
  @IsString()
  @MaxLength(4_000)
  prompt?: string;

  @ApiProperty({ type: 'string', format: 'binary', description: 'Audio. At most 25 MiB.' })
  @IsObject()
  file!: object;
}

export class TranscriptionDto extends shape(
  {
    text: is.text({ example: 'Thank you for calling.' }),
  },
  AnswerDto,
) {
  static of(id: string, answer: UnaryAnswer<Transcript>): TranscriptionDto {
    return { ...AnswerDto.partsOf(id, answer), text: answer.value.text };
  }
}
