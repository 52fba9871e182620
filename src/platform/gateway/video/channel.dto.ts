import { ApiProperty } from '@nestjs/swagger';

export class ChannelDto {
  @ApiProperty({ example: 'UC0123456789abcdefghijkl' })
  id!: string;

  @ApiProperty({ example: 'Acme Coffee' })
  title!: string;

  @ApiProperty({ type: String, nullable: true, example: '@acme', description: 'null: the channel has none.' })
  handle!: string | null;

  @ApiProperty({ type: String, format: 'uri', nullable: true, example: null })
  thumbnailUrl!: string | null;
}

export class ChannelResponseDto {
  @ApiProperty({ type: () => ChannelDto, nullable: true, description: 'null: the account has no channel.' })
  channel!: ChannelDto | null;
}
