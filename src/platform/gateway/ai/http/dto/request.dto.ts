import { ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsInt, Matches, Max, Min } from 'class-validator';
import { WhenSent } from '#libs/http';

/** `provider/model`. */
const MODEL = /^[a-z][a-z0-9-]{0,62}\/[\x21-\x7e]{1,200}$/;

/** What the requests of all AI routes have. */
export class AiRequestDto {
  @ApiPropertyOptional({
    pattern: MODEL.source,
    maxLength: 264,
    description:
      'Such as `openai/gpt-5`. In place of the default of the organization, for this request only. It must be one of the allowed models; people and API keys need the scope `org.admin` for another model than the default.',
  })
  @WhenSent()
  @Matches(MODEL, { message: 'must be provider/model' })
  model?: string;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1000,
    maximum: 3_600_000,
    example: 60_000,
    description:
      'Time limit of the request with all of its attempts, in milliseconds. At most AI_TIMEOUT_MS of the gateway, which is the default.',
  })
  @WhenSent()
  @Type(() => Number)
  @IsInt()
  @Min(1_000)
  @Max(3_600_000)
  timeoutMs?: number;
}
