import { ApiProperty } from '@nestjs/swagger';

export class WebhookReceivedDto {
  @ApiProperty({ example: true, description: 'false: the event was received before.' })
  isNew!: boolean;
}
