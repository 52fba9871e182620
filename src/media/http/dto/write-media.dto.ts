import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsNumber, IsObject, Max, Min, ValidateNested } from 'class-validator';
import { Text, Texts, WhenSent } from '#libs/http';

/** In characters. X takes 1 000; the others take as many or more. */
export const MAX_ALT_TEXT = 1_000;
const MAX_TAGS = 50;
const MAX_TAG = 60;

export class FocusPointDto {
  @ApiProperty({ description: 'From the left edge: 0 to 1.', minimum: 0, maximum: 1, example: 0.5 })
  @IsNumber()
  @Min(0)
  @Max(1)
  x!: number;

  @ApiProperty({ description: 'From the top edge: 0 to 1.', minimum: 0, maximum: 1, example: 0.5 })
  @IsNumber()
  @Min(0)
  @Max(1)
  y!: number;
}

export class DescribedMediaDto {
  @Text(MAX_ALT_TEXT, {
    description: 'Description for people who do not see the file.',
    example: 'Boats in a harbour at dawn',
  })
  altText?: string | null;

  @Texts(MAX_TAGS, MAX_TAG, {
    description: 'Replaces all tags; null for none. Of tags that differ only in case the first is kept.',
    example: ['summer', 'harbour'],
  })
  tags?: string[] | null;
}

export class UpdateMediaDto extends DescribedMediaDto {
  @ApiPropertyOptional({
    description: 'What stays visible when a rendition is cropped; the centre by default.',
    type: () => FocusPointDto,
  })
  @WhenSent()
  @IsObject()
  @ValidateNested()
  @Type(() => FocusPointDto)
  focusPoint?: FocusPointDto;
}
