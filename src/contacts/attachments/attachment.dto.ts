import { ApiProperty } from '@nestjs/swagger';
import { AuthorDto } from '../http/dto/contact.dto.js';
import type { AttachmentSummary } from './attachment.view.js';

export class AttachmentDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' })
  id!: string;

  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' })
  contactId!: string;

  @ApiProperty({
    description:
      'The name it was uploaded with, without folders and characters that cannot be seen; at most 255 bytes.',
    example: 'offer 2026.pdf',
  })
  fileName!: string;

  @ApiProperty({
    description: 'The type determined from the bytes; text of any kind is `text/plain`.',
    example: 'application/pdf',
  })
  contentType!: string;

  @ApiProperty({ description: 'Bytes.', type: 'integer', example: 48_213 })
  size!: number;

  @ApiProperty({
    description: 'SHA-256 of the file, in hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  })
  sha256!: string;

  @ApiProperty({ description: 'Who uploaded it.', type: () => AuthorDto })
  author!: AuthorDto;

  @ApiProperty({ format: 'date-time', example: '2026-11-21T09:00:00.000Z' })
  createdAt!: string;

  static of(attachment: AttachmentSummary): AttachmentDto {
    const { id, contactId, fileName, contentType, size, sha256, author, createdAt } = attachment;
    return { id, contactId, fileName, contentType, size, sha256, author: { ...author }, createdAt };
  }
}

/** The answer after a deletion. */
export class DeletedAttachmentDto {
  @ApiProperty({ format: 'uuid', example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' })
  id!: string;

  @ApiProperty({ example: true })
  deleted!: true;
}
