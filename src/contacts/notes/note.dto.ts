import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { is, shape, VISIBLE } from '#libs/http';
import { AuthorDto } from '../http/dto/contact.dto.js';

export class NoteDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' }),
  contactId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  body: is.text({
    description: 'Plain text of 1 to 20 000 characters.',
    example: 'Prefers to be called after ten.',
  }),
  author: is.object(() => AuthorDto, { description: 'The author of the first version.' }),
  createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  updatedAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
  version: is.integer({ description: 'Increases with every change; the ETag contains it.', example: 1 }),
}) {}

export class DeletedNoteDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' }),
  deleted: is.flag<true>({ example: true }),
}) {}

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
