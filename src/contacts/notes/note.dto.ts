import { ApiProperty } from '@nestjs/swagger';
import { IsString, Matches, MaxLength } from 'class-validator';
import { VISIBLE } from '#libs/http';
import { AuthorDto } from '../http/dto/contact.dto.js';
import type { NoteSummary } from './note.view.js';

export class NoteDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' })
  id!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  contactId!: string;

  @ApiProperty({
    description: 'Plain text of 1 to 20 000 characters.',
    example: 'Prefers to be called after ten.',
  })
  body!: string;

  @ApiProperty({ description: 'The author of the first version.', type: () => AuthorDto })
  author!: AuthorDto;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  updatedAt!: string;

  @ApiProperty({
    description: 'Increases with every change; the ETag contains it.',
    type: 'integer',
    example: 1,
  })
  version!: number;

  static of({ id, contactId, body, author, createdAt, updatedAt, version }: NoteSummary): NoteDto {
    return { id, contactId, body, author: { ...author }, createdAt, updatedAt, version };
  }
}

/** The answer after a deletion. */
export class DeletedNoteDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e55' })
  id!: string;

  @ApiProperty({ example: true })
  deleted!: true;
}

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
