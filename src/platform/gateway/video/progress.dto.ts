import { ApiProperty } from '@nestjs/swagger';
import type { UploadProgress } from './youtube-responses.js';

export class VideoDto {
  @ApiProperty({ example: 'dQw4w9WgXcQ' })
  id!: string;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'private',
    description: 'As the provider set it: uploads of unverified projects are private whatever was asked for.',
  })
  privacy!: string | null;
}

export class UploadProgressDto {
  @ApiProperty({ enum: ['incomplete', 'complete'], example: 'incomplete' })
  state!: UploadProgress['state'];

  @ApiProperty({
    type: 'integer',
    nullable: true,
    example: 8388608,
    description: 'The provider has the bytes before this one. null: it has all of them.',
  })
  nextByte!: number | null;

  @ApiProperty({ type: () => VideoDto, nullable: true, description: 'null while the upload is incomplete.' })
  video!: VideoDto | null;

  static of(progress: UploadProgress): UploadProgressDto {
    return progress.state === 'complete'
      ? { state: 'complete', nextByte: null, video: progress.video }
      : { state: 'incomplete', nextByte: progress.nextByte, video: null };
  }
}
