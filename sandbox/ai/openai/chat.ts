import type { CompletionWire } from '../completions/completion.js';
import { asObject } from '../provider/body.js';
import { checkChat, readChat } from './read-chat.js';
import { chatCompletion, chatEvents } from './write-chat.js';

/** `POST /v1/chat/completions`. */
export const chatWire: CompletionWire = {
  read: readChat,
  check: (asked, model, { call }) => checkChat(asked, model, asObject(call.json?.value)),
  whole: chatCompletion,
  events: chatEvents,
  errorEvent(problem, { provider, requestId, now }) {
    const { body } = provider.nature.write(problem, { requestId, now });
    return `data: ${JSON.stringify(body)}\n\n`;
  },
};

/** OpenRouter tells in a choice that the answer ends by an error, and keeps the connection alive with comments. */
export const openrouterWire: CompletionWire = {
  ...chatWire,
  *events(made) {
    yield { text: ': OPENROUTER PROCESSING\n\n', kind: 'frame', tokens: 0 };
    yield* chatEvents(made);
  },
  errorEvent(problem, exchange) {
    const { body } = exchange.provider.nature.write(problem, exchange);
    const choices = [
      { index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: 'error' },
    ];
    return `data: ${JSON.stringify({ ...asObject(body), object: 'chat.completion.chunk', choices })}\n\ndata: [DONE]\n\n`;
  },
};
