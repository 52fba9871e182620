import { ApiProperty } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
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

export class DataDeletionRequestedDto {
  @ApiProperty({
    description: 'Page that tells a person what became of the request.',
    format: 'uri',
    example: 'https://api.example.com/api/integrations/data-deletion/4d2f6c0a9e1b47d8a3c5e7f901b2d4c6',
  })
  url!: string;

  @ApiProperty({
    name: 'confirmation_code',
    description: 'Names the request. Alphanumeric.',
    example: '4d2f6c0a9e1b47d8a3c5e7f901b2d4c6',
  })
  confirmation_code!: string;
}

export class DataDeletionDto {
  @ApiProperty({ example: '4d2f6c0a9e1b47d8a3c5e7f901b2d4c6' })
  code!: string;

  @ApiProperty({
    description: 'A deletion is recorded when it is complete. A code without a record is unknown (404).',
    enum: ['completed'],
  })
  state!: 'completed';

  @ApiProperty({ description: 'The network.', enum: PLATFORMS, enumName: 'Platform' })
  platform!: string;

  @ApiProperty({ description: 'When the request was received and carried out.', format: 'date-time' })
  completedAt!: string;

  @ApiProperty({ description: 'Connected accounts whose data was deleted; 0: this service had none.' })
  connections!: number;
}
