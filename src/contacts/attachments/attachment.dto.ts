import { is, shape } from '#libs/http';
import { AuthorDto } from '../http/dto/contact.dto.js';

export class AttachmentDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' }),
  contactId: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e11' }),
  fileName: is.text({
    description:
      'The name it was uploaded with, without folders and characters that cannot be seen; at most 255 bytes.',
    example: 'offer 2026.pdf',
  }),
  contentType: is.text({
    description: 'The type determined from the bytes; text of any kind is `text/plain`.',
    example: 'application/pdf',
  }),
  size: is.integer({ description: 'Bytes.', example: 48_213 }),
  sha256: is.text({
    description: 'SHA-256 of the file, in hex.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  }),
  author: is.object(() => AuthorDto, { description: 'Who uploaded it.' }),
  createdAt: is.instant({ example: '2026-11-21T09:00:00.000Z' }),
}) {}

export class DeletedAttachmentDto extends shape({
  id: is.uuid({ example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e66' }),
  deleted: is.flag<true>({ example: true }),
}) {}
