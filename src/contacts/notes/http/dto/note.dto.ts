import { ApiProperty } from '@nestjs/swagger';
import { AuthorDto } from '../../../http/dto/author.dto.js';
import type { NoteSummary } from '../../views/note.view.js';

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
