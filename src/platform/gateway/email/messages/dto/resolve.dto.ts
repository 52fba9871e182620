import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { ArrayMaxSize, ArrayMinSize, IsArray, IsBoolean, IsString, MaxLength } from 'class-validator';
import { WhenSent } from '#libs/http';

export class ResolveEmailDto {
  @ApiProperty({
    example: true,
    description: 'true: the recipients got the message. false: they did not, and it is sent to them again.',
  })
  @IsBoolean()
  delivered!: boolean;

  @ApiPropertyOptional({
    type: [String],
    example: ['ada@example.com'],
    description: 'Default: all uncertain ones.',
  })
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(50)
  @IsString({ each: true })
  @MaxLength(320, { each: true })
  recipients?: string[];
}
