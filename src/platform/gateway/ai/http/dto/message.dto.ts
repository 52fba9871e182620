import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsString,
  Matches,
  MaxLength,
  MinLength,
  ValidateIf,
  ValidateNested,
} from 'class-validator';
import type { FieldError } from '#libs/errors';
import { IsBase64, RequestIsNotValid, WhenSent } from '#libs/http';
import type { Message, MessagePart } from '../../providers/wires/requests.js';
import { TOOL_NAME } from './tool.dto.js';

/** 15 MB in Base64. */
export const MAX_IMAGE_TEXT = 20_000_000;
const IMAGE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'];
/** Longer than the context window of any model. */
const MAX_TEXT = 4_000_000;
/** Google's signature of the model's thoughts is a part of it. */
const MAX_CALL_ID = 65_536;
const CALL_ID = 'Give it back as it is.';

export class MessagePartDto {
  @ApiProperty({ enum: ['text', 'image'], example: 'text' })
  @IsIn(['text', 'image'])
  type!: 'text' | 'image';

  @ApiPropertyOptional({ maxLength: MAX_TEXT, description: 'Of a text.', example: 'Say hello.' })
  @ValidateIf(({ type }: MessagePartDto) => type === 'text')
  @IsString()
  @MaxLength(MAX_TEXT)
  text?: string;

  @ApiPropertyOptional({ enum: IMAGE_TYPES, description: 'Of an image.' })
  @ValidateIf(({ type }: MessagePartDto) => type === 'image')
  @IsIn(IMAGE_TYPES)
  mediaType?: string;

  @ApiPropertyOptional({
    format: 'byte',
    description:
      'Of an image: its bytes in Base64, at most 15 MB. A whole request has at most 21 MiB. Providers have lower limits of their own.',
  })
  @ValidateIf(({ type }: MessagePartDto) => type === 'image')
  @IsString()
  @MinLength(1)
  @IsBase64()
  data?: string;
}

export class ToolCallDto {
  @ApiProperty({ minLength: 1, maxLength: MAX_CALL_ID, example: 'call_1', description: CALL_ID })
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CALL_ID)
  id!: string;

  @ApiProperty({ pattern: TOOL_NAME.source, example: 'find_contact' })
  @Matches(TOOL_NAME, { message: 'must be the name of a tool' })
  name!: string;

  @ApiProperty({
    maxLength: MAX_TEXT,
    example: '{"email":"ada@example.com"}',
    description:
      'JSON text as the model wrote it; it can be malformed. Give it back as it is: where a provider takes objects only, malformed text is sent as `{"malformed_arguments": text}`.',
  })
  @IsString()
  @MaxLength(MAX_TEXT)
  arguments!: string;
}

const asParts = ({ value }: { value: unknown }): unknown =>
  plainToInstance(MessagePartDto, typeof value === 'string' ? [{ type: 'text', text: value }] : value);

export class MessageDto {
  @ApiProperty({ enum: ['user', 'assistant', 'tool'], example: 'user' })
  @IsIn(['user', 'assistant', 'tool'])
  role!: 'user' | 'assistant' | 'tool';

  @ApiProperty({
    description: 'A text, or parts. The result of a tool is text only.',
    oneOf: [
      { type: 'string', maxLength: MAX_TEXT },
      { type: 'array', items: { $ref: '#/components/schemas/MessagePartDto' }, maxItems: 100 },
    ],
    example: 'Name three uses of a paper clip.',
  })
  @Transform(asParts)
  @IsArray({ message: 'must be a text or a list of parts' })
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  content!: MessagePartDto[];

  @ApiPropertyOptional({
    type: () => [ToolCallDto],
    maxItems: 100,
    description: 'Of the assistant: the calls that it asked for.',
  })
  @WhenSent()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(100)
  @ValidateNested({ each: true })
  @Type(() => ToolCallDto)
  toolCalls?: ToolCallDto[];

  @ApiPropertyOptional({
    maxLength: MAX_CALL_ID,
    description: 'Of a tool: the call that it answers.',
  })
  @ValidateIf(({ role, toolCallId }: MessageDto) => role === 'tool' || toolCallId !== undefined)
  @IsString()
  @MinLength(1)
  @MaxLength(MAX_CALL_ID)
  toolCallId?: string;
}

/** @throws RequestIsNotValid with what a message of its role cannot have, and for a conversation without any content */
export function messagesOf(messages: readonly MessageDto[]): readonly Message[] {
  const errors = messages.flatMap(faultsOf);
  if (errors.length > 0) throw new RequestIsNotValid(errors);
  return messages.map(messageOf);
}

function faultsOf(message: MessageDto, index: number): FieldError[] {
  const { role, content, toolCalls, toolCallId } = message;
  const at = `#/messages/${index}`;
  const fault = (isWrong: boolean, field: string, code: string, detail: string): FieldError[] =>
    isWrong ? [{ pointer: `${at}/${field}`, code, detail }] : [];
  const hasForeignImage = role !== 'user' && content.some(({ type }) => type === 'image');
  return [
    ...fault(
      role !== 'assistant' && toolCalls !== undefined,
      'toolCalls',
      'not_allowed',
      'only the assistant calls tools',
    ),
    ...fault(
      role !== 'tool' && toolCallId !== undefined,
      'toolCallId',
      'not_allowed',
      'only the result of a tool answers a call',
    ),
    ...fault(hasForeignImage, 'content', 'not_allowed', 'only messages of the user have images'),
    ...fault(content.some(isTooLarge), 'content', 'too_large', 'an image has 15 MB at most'),
    ...fault(isEmpty(message), 'content', 'required', 'must not be empty'),
  ];
}

/** Not a check of the field: those of texts look for pairs of surrogates in all of its MB. */
const isTooLarge = ({ type, data = '' }: MessagePartDto): boolean =>
  type === 'image' && data.length > MAX_IMAGE_TEXT;

/** Providers refuse empty messages. A tool may have nothing to say. */
const isEmpty = ({ role, content, toolCalls }: MessageDto): boolean =>
  role !== 'tool' &&
  toolCalls === undefined &&
  !content.some(({ type, text }) => type === 'image' || (text ?? '').trim() !== '');

function messageOf({ role, content, toolCalls, toolCallId = '' }: MessageDto): Message {
  if (role === 'tool') return { role, toolCallId, content: content.map(({ text }) => text ?? '').join('') };
  const parts = content.map(partOf);
  return role === 'user' ? { role, content: parts } : { role, content: parts, toolCalls: toolCalls ?? [] };
}

const partOf = ({ type, text = '', mediaType = '', data = '' }: MessagePartDto): MessagePart =>
  type === 'text' ? { type, text } : { type, mediaType, data };
