import { ApiProperty } from '@nestjs/swagger';
import type { Author } from '../../domain/author.js';

export class AuthorDto implements Author {
  @ApiProperty({ enum: ['user', 'service', 'api_key'], example: 'user' })
  type!: Author['type'];

  @ApiProperty({
    description: 'Id at the identity service.',
    format: 'uuid',
    example: '01936d2e-7c1a-7b3e-9f52-3f6f0c9a4e33',
  })
  id!: string;
}
