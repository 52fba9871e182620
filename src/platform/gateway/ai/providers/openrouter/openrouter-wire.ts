import { openAiFailure } from '../openai/openai-failures.js';
import { authorized, OpenAiChatWire } from '../openai/openai-wire.js';
import { exchange, isSuccess } from '../wires/exchange.js';
import { failureOf } from '../wires/failure.js';
import { record } from '../wires/values.js';
import type { Asked, Calling } from '../wires/wire.js';

/** OpenRouter: chat completions of many providers. Its list of models is public, so a key is checked by `GET /v1/key`, which also says whether its limit is used up. */
export class OpenRouterWire extends OpenAiChatWire {
  async checkCredential(call: Calling): Promise<Asked<null>> {
    const exchanged = await exchange(this.http, call, {
      method: 'GET',
      path: '/v1/key',
      headers: authorized(call),
    });
    if (exchanged.kind === 'failed') return exchanged;
    const { status, body } = exchanged.reply;
    const { limit_remaining: remaining } = record(record(body).data);
    if (!isSuccess(status)) return { kind: 'failed', failure: openAiFailure(exchanged.reply, call.secret) };
    if (typeof remaining !== 'number' || remaining > 0) return { kind: 'answered', value: null };
    return {
      kind: 'failed',
      failure: failureOf('money', { status, code: 'limit_remaining', secret: call.secret }),
    };
  }
}
