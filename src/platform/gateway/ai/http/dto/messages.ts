import type { FieldError } from '#libs/errors';
import { RequestIsNotValid } from '#libs/http';
import type { Message, MessagePart } from '../../providers/wires/requests.js';
import { MAX_IMAGE_TEXT, type MessageDto, type MessagePartDto } from './message.dto.js';

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
