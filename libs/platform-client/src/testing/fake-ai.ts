import { randomUUID } from 'node:crypto';
import { deflateSync, crc32 } from 'node:zlib';
import { AiClient } from '../ai-client.js';
import type {
  AiAnswer,
  AiClientCall,
  AiResult,
  CompletionRequest,
  CompletionResult,
  ImageRequest,
  ImagesResult,
  Recording,
  TranscriptResult,
} from '../ai.types.js';

const refused = (code: string): AiResult<never> => ({ kind: 'refused', code, detail: 'Refused.' });

/** In-memory AI routes. They pass the same contract tests as the service (test/integration/ai-contract.int-spec.ts). */
export class FakeAi extends AiClient {
  isConfigured = true;
  /** Of the next completions and transcripts. */
  text = 'Hello.';
  /** The models of the installation; the first one is the default. */
  models = ['openai/first', 'openrouter/second'];
  /** Work that was done, one entry each. */
  readonly done: { readonly call: AiClientCall; readonly request: object }[] = [];
  private readonly kept = new Map<string, AiResult<unknown>>();
  private failure: AiResult<never> | null = null;

  /** Further calls have this outcome, null: they succeed. */
  failWith(failure: AiResult<never> | null): void {
    this.failure = failure;
  }

  complete(call: AiClientCall, request: CompletionRequest): Promise<AiResult<CompletionResult>> {
    const isEmpty = request.messages.every(
      ({ content }) => typeof content === 'string' && content.trim() === '',
    );
    return this.once(call, request, isEmpty, () => ({
      text: this.text,
      toolCalls: [],
      finishReason: 'stop' as const,
    }));
  }

  drawImages(call: AiClientCall, request: ImageRequest): Promise<AiResult<ImagesResult>> {
    return this.once(call, request, request.prompt.trim() === '', () => ({
      images: Array.from({ length: request.count ?? 1 }, () => ({
        bytes: grayPng(request.width ?? 1024, request.height ?? 1024),
        mediaType: 'image/png' as const,
        revisedPrompt: null,
      })),
    }));
  }

  transcribe(call: AiClientCall, recording: Recording): Promise<AiResult<TranscriptResult>> {
    if (Buffer.from(recording.bytes).subarray(0, 4).toString('latin1') !== 'RIFF')
      return Promise.resolve(refused('audio_not_supported'));
    return this.once(call, { bytes: recording.bytes.length }, false, () => ({ text: this.text }));
  }

  private once<T>(
    call: AiClientCall,
    request: object,
    isEmpty: boolean,
    work: () => T,
  ): Promise<AiResult<T & AiAnswer>> {
    const key = call.idempotencyKey && `${call.organizationId} ${call.idempotencyKey}`;
    const kept = key === undefined ? undefined : this.kept.get(key);
    if (kept) return Promise.resolve(kept as AiResult<T & AiAnswer>);
    const result = this.failure ?? this.outcome(call, request, isEmpty, work);
    if (key && result.kind === 'answered') this.kept.set(key, result);
    return Promise.resolve(result);
  }

  private outcome<T>(
    call: AiClientCall,
    request: object,
    isEmpty: boolean,
    work: () => T,
  ): AiResult<T & AiAnswer> {
    if (isEmpty) return refused('validation_failed');
    const model = call.model ?? this.models[0] ?? '';
    if (!this.models.includes(model)) return refused('model_not_found');
    this.done.push({ call, request });
    const [provider = '', name = ''] = model.split('/');
    const attempt = {
      provider,
      model: name,
      credential: 'own',
      outcome: 'answered',
      milliseconds: 1,
    } as const;
    return {
      kind: 'answered',
      value: {
        ...work(),
        id: randomUUID(),
        model,
        requestedModel: model,
        cost: '0.001',
        attempts: [attempt],
      },
    };
  }
}

/** A whole PNG of one gray (PNG specification, third edition). */
function grayPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(8, 8);
  const rows = Buffer.alloc((width + 1) * height, 128);
  for (let row = 0; row < height; row += 1) rows[row * (width + 1)] = 0;
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
