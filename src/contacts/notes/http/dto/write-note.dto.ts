import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { VISIBLE } from '#libs/http';

export const MAX_NOTE = 20_000;

/** Stored unchanged, with line breaks and white space. */
export class WriteNoteDto {
  @ApiProperty({
    description: 'Plain text of 1 to 20 000 characters, at least one of them visible.',
    minLength: 1,
    maxLength: MAX_NOTE,
    example: 'Prefers to be called after ten.',
  })
  @IsString()
  @Matches(VISIBLE, { message: 'must have a visible character', context: { code: 'required' } })
  @MaxLength(MAX_NOTE)
  body!: string;
}
