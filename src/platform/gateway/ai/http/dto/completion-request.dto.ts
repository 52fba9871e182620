import { ApiExtraModels, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsBoolean,
  IsInt,
  IsNumber,
  IsString,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { WhenSent } from '#libs/http';
import type { CompletionRequest } from '../../providers/wires/requests.js';
import { MessageDto, MessagePartDto, messagesOf } from './message.dto.js';
import { AiRequestDto } from './request.dto.js';
import { IsToolChoice, ResponseSchemaDto, ToolDto } from './tool.dto.js';

const DEFAULT_MAX_TOKENS = 4_096;

@ApiExtraModels(MessagePartDto)
export class CompletionRequestDto extends AiRequestDto {
  @ApiPropertyOptional({ maxLength: 1_000_000, example: 'Answer in one sentence.' })
  @WhenSent()
  @IsString()
  @MaxLength(1_000_000)
  system?: string;

  @ApiProperty({ type: () => [MessageDto], minItems: 1, maxItems: 1000 })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(1_000)
  @ValidateNested({ each: true })
  @Type(() => MessageDto)
  messages!: MessageDto[];

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: 1_000_000,
    default: DEFAULT_MAX_TOKENS,
    example: 1024,
    description: 'Bounds the output and so the cost. A model with a smaller maximum is asked for that one.',
  })
  @WhenSent()
  @IsInt()
  @Min(1)
  @Max(1_000_000)
  maxTokens?: number;

  @ApiPropertyOptional({
    type: 'number',
    minimum: 0,
    maximum: 2,
    example: 0.7,
    description: 'Left out for a model that takes none, and at most the highest that the model takes.',
  })
  @WhenSent()
  @IsNumber()
  @Min(0)
  @Max(2)
  temperature?: number;

  @ApiPropertyOptional({ type: [String], maxItems: 4, description: 'Texts that end the output.' })
  @WhenSent()
  @IsArray()
  @ArrayMaxSize(4)
  @IsString({ each: true })
  @MinLength(1, { each: true })
  @MaxLength(100, { each: true })
  stop?: string[];

  @ApiPropertyOptional({ type: () => [ToolDto], maxItems: 128 })
  @WhenSent()
  @IsArray()
  @ArrayMaxSize(128)
  @ValidateNested({ each: true })
  @Type(() => ToolDto)
  tools?: ToolDto[];

  @ApiPropertyOptional({
    oneOf: [
      { type: 'string', enum: ['auto', 'none', 'required'] },
      { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    ],
    description: 'Whether the model calls tools; an object names the one that it must call.',
    example: 'auto',
  })
  @WhenSent()
  @IsToolChoice()
  toolChoice?: 'auto' | 'none' | 'required' | { name: string };

  @ApiPropertyOptional({
    type: () => ResponseSchemaDto,
    description:
      'The text of the response is JSON. A finished text (`finishReason` is `stop`) that does not fit is billed, and the next model is tried; when none is left, the response is 502 `provider_response_unreadable`. Some models take a part of JSON Schema only: their objects get no other properties, and bounds are told in words. A text that was cut, and the text of a stream, are not checked.',
  })
  @WhenSent()
  @ValidateNested()
  @Type(() => ResponseSchemaDto)
  responseSchema?: ResponseSchemaDto;

  @ApiPropertyOptional({
    default: false,
    example: false,
    description: 'true: the response is `text/event-stream`. An Idempotency-Key is refused then.',
  })
  @WhenSent()
  @IsBoolean()
  stream?: boolean;

  /** @throws RequestIsNotValid for messages that no conversation can have */
  static toRequest(body: CompletionRequestDto): CompletionRequest {
    return {
      system: body.system ?? null,
      messages: messagesOf(body.messages),
      maxTokens: body.maxTokens ?? DEFAULT_MAX_TOKENS,
      temperature: body.temperature ?? null,
      stop: body.stop ?? [],
      tools: body.tools ?? [],
      toolChoice: body.toolChoice ?? null,
      responseSchema: body.responseSchema ?? null,
    };
  }
}
