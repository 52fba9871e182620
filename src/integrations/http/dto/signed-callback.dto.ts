import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { is, shape } from '#libs/http';
import { PLATFORMS } from '../../networks.js';
import { MAX_SIGNED_REQUEST } from '../../signed-callbacks/signed-requests.js';

export class SignedRequestDto {
  @ApiProperty({
    name: 'signed_request',
    description:
      '`base64url(signature) "." base64url(JSON)` without padding: HMAC-SHA256 of the second part as it is sent, with the secret of the application.',
    maxLength: MAX_SIGNED_REQUEST,
    example: 'CZ9uCTFxr4nIeGCCQy6SMCAotHaPmKkQBfoP7Xlp4ak.eyJ1c2VyX2lkIjoiMTIzIn0',
  })
  @IsString()
  @MaxLength(MAX_SIGNED_REQUEST)
  signed_request!: string;
}

export class DataDeletionRequestedDto extends shape({
  url: is.text({
    description: 'Page that tells a person what became of the request.',
    format: 'uri',
    example: 'https://api.example.com/api/integrations/data-deletion/4d2f6c0a9e1b47d8a3c5e7f901b2d4c6',
  }),
  confirmation_code: is.text({
    name: 'confirmation_code',
    description: 'Names the request. Alphanumeric.',
    example: '4d2f6c0a9e1b47d8a3c5e7f901b2d4c6',
  }),
}) {}

export class DataDeletionDto extends shape({
  code: is.text({ example: '4d2f6c0a9e1b47d8a3c5e7f901b2d4c6' }),
  state: is.text<'completed'>({
    description: 'A deletion is recorded when it is complete. A code without a record is unknown (404).',
    enum: ['completed'],
  }),
  platform: is.text({ description: 'The network.', enum: PLATFORMS, enumName: 'Platform' }),
  completedAt: is.instant({ description: 'When the request was received and carried out.' }),
  connections: is.of<number>({
    type: 'number',
    description: 'Connected accounts whose data was deleted; 0: this service had none.',
  }),
}) {}
