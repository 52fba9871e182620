import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsNumber, IsString, IsUUID, MaxLength } from 'class-validator';
import { trimmed, WhenSent, WhenSentOrNull } from '#libs/http';

const MAX_NOTE = 2_000;

/** An id in lower case, the form for comparisons. */
const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

export class MoveContactDto {
  @ApiProperty({
    description: 'The target stage. The contact leaves its current stage of the same pipeline.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  @LowerCase()
  @IsUUID()
  stageId!: string;

  @ApiPropertyOptional({
    description: 'The expected pipeline of the stage: 404 when the stage belongs to another one.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e22',
  })
  @LowerCase()
  @WhenSent()
  @IsUUID()
  pipelineId?: string;

  @ApiPropertyOptional({
    description:
      'Cards of a stage are in ascending order of it, those with the same in the order they came. Any finite number: between two cards is between their numbers. Cards that come too close to one another are spread out again, in the same order, so read the board before the next move. Left out or null: the end of the stage; where it is, when it is in the stage already.',
    type: 'number',
    format: 'double',
    nullable: true,
    example: 2.5,
  })
  @WhenSentOrNull()
  @IsNumber({ allowNaN: false, allowInfinity: false })
  position?: number | null;

  @ApiPropertyOptional({
    description: `The reason, for the history: up to ${MAX_NOTE} characters. Not stored when the contact is in the stage already.`,
    type: 'string',
    nullable: true,
    maxLength: MAX_NOTE,
    example: 'Signed after the second call.',
  })
  @Transform(({ value }: { value: unknown }) => trimmed(value))
  @WhenSentOrNull()
  @IsString()
  @MaxLength(MAX_NOTE)
  note?: string | null;
}
