import { is, shape } from '#libs/http';
import type { UnaryAnswer } from '../../calls/call/unary-calls.js';
import type { Completion, FinishReason } from '../../providers/wires/wire.js';
import { AnswerDto } from './answer.dto.js';
import { ToolCallDto } from './message.dto.js';

export const FINISH_REASONS = [
  'stop',
  'length',
  'tool_calls',
  'content_filter',
  'other',
] as const satisfies readonly FinishReason[];

export class CompletionDto extends shape(
  {
    text: is.text({ example: 'Holding paper, resetting a router, picking a lock.' }),
    toolCalls: is.list(() => ToolCallDto, { description: 'Tools that the model wants called.' }),
    finishReason: is.text<FinishReason>({
      enum: FINISH_REASONS,
      example: 'stop',
      description:
        '`other`: the provider gave no reason, or one that is not known here. The content is what arrived; expect further values.',
    }),
  },
  AnswerDto,
) {
  static of(id: string, answer: UnaryAnswer<Completion>): CompletionDto {
    const { text, toolCalls, finishReason } = answer.value;
    return {
      ...AnswerDto.partsOf(id, answer),
      text,
      toolCalls: toolCalls.map(({ id: call, name, arguments: written }) => ({
        id: call,
        name,
        arguments: written,
      })),
      finishReason,
    };
  }
}
