import type { AnswerEnd } from '../answers/answer.js';
import { partsOf, tokensOf } from '../answers/tokens.js';
import type { MadeCompletion, StreamEvent } from '../completions/completion.js';
import type { BilledUsage } from '../provider/bill.js';

const REASONS: Readonly<Record<AnswerEnd, string>> = {
  stop: 'STOP',
  'stop-sequence': 'STOP',
  length: 'MAX_TOKENS',
  tools: 'STOP',
  refusal: 'SAFETY',
  filter: 'SAFETY',
};

type Part = Readonly<Record<string, unknown>>;

/** The body of a whole response. A prompt that is blocked has no candidates; a filtered answer has no content. */
export function content(made: MadeCompletion): unknown {
  const { answer, isEmpty } = made;
  if (answer.end === 'refusal')
    return { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, ...tail(made, made.usage) };
  const parts = partsIn(made);
  const candidate = {
    ...(parts.length > 0 && { content: { parts, role: 'model' } }),
    finishReason: reasonOf(made),
    index: 0,
  };
  return { candidates: isEmpty ? [] : [candidate], ...tail(made, made.usage) };
}

/** A model that was asked for a picture and drew none says so. */
const reasonOf = ({ asked, picture, answer }: MadeCompletion): string =>
  asked.picture !== null && picture === null && answer.end === 'stop' ? 'NO_IMAGE' : REASONS[answer.end];

function partsIn({ answer, asked, picture }: MadeCompletion): readonly Part[] {
  if (picture)
    return [{ inlineData: { mimeType: picture.mediaType, data: picture.bytes.toString('base64') } }];
  if (asked.picture !== null) return [];
  const text = answer.tokens.join('');
  const calls = answer.toolCalls.map(({ name, arguments: args }) => ({ functionCall: { name, args } }));
  return text === '' ? calls : [{ text }, ...calls];
}

const tail = ({ model, requestId, reasoningTokens }: MadeCompletion, usage: BilledUsage | null): Part => ({
  ...(usage && { usageMetadata: usageOf(usage, reasoningTokens) }),
  ...(model.retiresAt !== null && {
    modelStatus: { modelStage: 'DEPRECATED', retirementTime: `${model.retiresAt.slice(0, 10)}T00:00:00Z` },
  }),
  modelVersion: model.snapshot ?? model.id,
  responseId: requestId,
});

const byModality = (counts: Readonly<Record<string, number>>): readonly Part[] =>
  Object.entries(counts)
    .filter(([, tokenCount]) => tokenCount > 0)
    .map(([modality, tokenCount]) => ({ modality, tokenCount }));

/** The prompt includes what was cached; thoughts are counted apart from the candidates. */
function usageOf(usage: BilledUsage, reasoningTokens: number): Part {
  const thoughts = Math.min(reasoningTokens, usage.outputTokens);
  const text = usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens;
  const prompt = text + usage.inputImageTokens + usage.inputAudioTokens;
  const candidates = usage.outputTokens - thoughts + usage.outputImageTokens;
  return {
    promptTokenCount: prompt,
    ...(usage.cachedInputTokens > 0 && { cachedContentTokenCount: usage.cachedInputTokens }),
    ...(candidates > 0 && { candidatesTokenCount: candidates }),
    ...(thoughts > 0 && { thoughtsTokenCount: thoughts }),
    totalTokenCount: prompt + candidates + thoughts,
    promptTokensDetails: byModality({
      TEXT: text,
      IMAGE: usage.inputImageTokens,
      AUDIO: usage.inputAudioTokens,
    }),
    ...(usage.outputImageTokens > 0 && {
      candidatesTokensDetails: byModality({ IMAGE: usage.outputImageTokens }),
    }),
  };
}

/** Each chunk has the shape of a whole response and counts up to itself. There is no terminal sign. */
export function* contentEvents(made: MadeCompletion): Generator<StreamEvent> {
  const { answer, usage, tokensPerPart, reasoningTokens, isEmpty } = made;
  if (isEmpty || answer.end === 'refusal' || answer.end === 'filter' || made.asked.picture !== null) {
    yield chunk(content(made), 'end', usage?.outputTokens ?? 0);
    return;
  }
  let sent = reasoningTokens;
  const soFar = (tokens: number): BilledUsage | null => {
    sent += tokens;
    return usage && { ...usage, outputTokens: Math.min(usage.outputTokens, sent) };
  };
  const candidate = (parts: readonly Part[], finishReason?: string): Part => ({
    candidates: [{ content: { parts, role: 'model' }, ...(finishReason && { finishReason }), index: 0 }],
  });
  for (const part of partsOf(answer.tokens, tokensPerPart)) {
    const body = candidate([{ text: part.join('') }]);
    yield chunk({ ...body, ...tail(made, soFar(part.length)) }, 'content', part.length);
  }
  for (const { name, arguments: args } of answer.toolCalls) {
    const tokens = tokensOf(name + JSON.stringify(args)).length;
    const body = candidate([{ functionCall: { name, args } }]);
    yield chunk({ ...body, ...tail(made, soFar(tokens)) }, 'content', tokens);
  }
  const last = candidate([{ text: '' }], REASONS[answer.end]);
  yield chunk({ ...last, ...tail(made, usage) }, 'end', 0);
}

const chunk = (body: unknown, kind: StreamEvent['kind'], tokens: number): StreamEvent => ({
  text: `data: ${JSON.stringify(body)}\n\n`,
  kind,
  tokens,
});
