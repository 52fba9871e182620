import type { OutboundHeaders } from '#libs/outbound-http';
import { type AiHttp, exchange, isSuccess, type Reply, type WireRequest } from './exchange.js';
import { type Failure, failureOf } from './failure.js';
import type { CompletionRequest } from './requests.js';
import { type StreamFold, streamParts } from './stream-completion.js';
import { unsendable } from './unsendable.js';
import type {
  AiWire,
  Asked,
  Attempted,
  Calling,
  Completion,
  CompletionPart,
  Counted,
  ListedModel,
  WireCall,
} from './wire.js';

/** What wires have in common: an attempt is one request, and a refusal is read from its body. */
export abstract class CompletionWire implements AiWire {
  /** Whether messages of the assistant may have images. */
  protected readonly takesAssistantImages: boolean = false;

  constructor(protected readonly http: AiHttp) {}

  abstract listModels(call: Calling): Promise<Asked<readonly ListedModel[]>>;
  abstract readonly requestId: (reply: Reply) => string | null;
  abstract readonly failure: (reply: Reply, secret: string) => Failure;
  abstract fold(headers: OutboundHeaders, secret: string): StreamFold;
  protected abstract completionCall(
    call: WireCall,
    request: CompletionRequest,
    isStreamed: boolean,
  ): WireRequest;
  protected abstract readonly completionIn: (reply: Reply, secret: string) => Attempted<Completion>;

  async complete(call: WireCall, request: CompletionRequest): Promise<Attempted<Completion>> {
    const problem = unsendable(request, this.takesAssistantImages, call);
    if (problem) return problem;
    return this.attempt(call, this.completionCall(call, request, false), (reply) =>
      this.completionIn(reply, call.secret),
    );
  }

  async *streamCompletion(
    call: WireCall,
    request: CompletionRequest,
  ): AsyncGenerator<CompletionPart, void, undefined> {
    const problem = unsendable(request, this.takesAssistantImages, call);
    if (problem) return yield problem;
    yield* streamParts(this.http, call, this.completionCall(call, request, true), this);
  }

  protected async attempt<T>(
    call: WireCall,
    request: WireRequest,
    read: (reply: Reply) => Attempted<T> | Promise<Attempted<T>>,
  ): Promise<Attempted<T>> {
    const exchanged = await exchange(this.http, call, request);
    if (exchanged.kind === 'failed') return { ...exchanged, usage: null, requestId: null };
    const { reply } = exchanged;
    if (isSuccess(reply.status)) return read(reply);
    const failure = this.failure(reply, call.secret);
    return { kind: 'failed', failure, usage: null, requestId: this.requestId(reply) };
  }
}

const STATUS = 200;

export abstract class CompletionFold implements StreamFold {
  protected model: string | null = null;
  protected id: string | null = null;
  protected hasText = false;
  /** Whether parts were left out: they are of another type, or not readable. */
  protected hasUnread = false;

  constructor(
    protected readonly headers: OutboundHeaders,
    protected readonly secret: string,
  ) {}

  abstract read(item: Parameters<StreamFold['read']>[0]): Iterable<CompletionPart>;
  abstract counted(): Counted;

  requestId(): string | null {
    return this.id;
  }

  ended(): CompletionPart | null {
    return null;
  }

  protected reply(body: unknown): Reply {
    return { status: STATUS, headers: this.headers, body };
  }

  protected failure(kind: 'unreadable' | 'policy', code: string | null = null, message?: unknown): Failure {
    return failureOf(kind, { status: STATUS, code, message, secret: this.secret });
  }

  protected failed(failure: Failure, counted: Counted = this.counted()): CompletionPart {
    return { kind: 'failed', failure, ...counted, requestId: this.requestId() };
  }
}
