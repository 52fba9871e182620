import { setTimeout as sleep } from 'node:timers/promises';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Command, CommandBus, CommandHandler, QueryBus } from '@nestjs/cqrs';
import type { Caller } from '#libs/auth';
import { BrandNotFound } from '#libs/auth';
import { StorageQuota } from '#libs/uploads';
import type { AiClientCall, ImageRequest, ImagesResult } from '#libs/platform-client';
import { AiClient } from '#libs/platform-client';
import { concerns } from '#libs/http';
import { GetBrand } from '../../../brands/index.js';
import type { GeneratedFile } from '../../../media/index.js';
import { StoreGeneratedFile } from '../../../media/index.js';
import { ModelOverrideIsNotPermitted } from '../image.errors.js';
import { ImageMetrics } from '../image.metrics.js';
import { imageIn, isStillRunning } from '../image-results.js';
import { ImageSlots } from '../image-slots.js';
import { ImagesConfig } from '../images.config.js';

/** A person or a service principal; or operator automation with the internal service token, in the name of this service. */
export type Requester =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'operator'; readonly serviceId: string };

export interface ImageToGenerate {
  readonly brandId: string;
  readonly requester: Requester;
  readonly image: Omit<ImageRequest, 'count'>;
  /** `provider/model` in place of the default; for this request only. */
  readonly model?: string;
  /** The same key draws one picture, also after a crash. */
  readonly idempotencyKey?: string;
  /** Aborted when the client has left: ends the call to the provider. */
  readonly left?: AbortSignal;
  /** Runs in the transaction that stores the file. */
  readonly alongside: (
    executor: Parameters<GeneratedFile['alongside']>[0],
    generated: GeneratedImage,
  ) => Promise<void>;
}

export type GeneratedImage = Pick<ImagesResult, 'model' | 'cost' | 'attempts'> & {
  readonly file: Parameters<GeneratedFile['alongside']>[1];
};

/**
 * Asks the models of the organization for one picture and stores it in the library of a brand.
 * @throws BrandNotFound, ScopeIsMissing, the errors of ../image.errors.ts, StorageQuotaIsExceeded, the errors of StoreGeneratedFile
 */
export class GenerateImage extends Command<GeneratedImage> {
  constructor(readonly request: ImageToGenerate) {
    super();
  }
}

/** Between two questions whether an earlier call with the key has ended. */
const PAUSE_MS = 1_000;
const NAME_CHARACTERS = 60;

@CommandHandler(GenerateImage)
export class GenerateImageHandler implements ICommandHandler<GenerateImage> {
  constructor(
    private readonly queries: QueryBus,
    private readonly commands: CommandBus,
    private readonly ai: AiClient,
    private readonly quota: StorageQuota,
    private readonly slots: ImageSlots,
    private readonly metrics: ImageMetrics,
    private readonly config: ImagesConfig,
  ) {}

  execute({ request }: GenerateImage): Promise<GeneratedImage> {
    return this.metrics.counting(() => this.generate(request), request.left);
  }

  private async generate(request: ImageToGenerate): Promise<GeneratedImage> {
    const organizationId = await this.authorize(request);
    request.left?.throwIfAborted();
    return this.slots.run(organizationId, async () => {
      await this.quota.assertSpaceFor(organizationId, 1);
      return this.store(request, organizationId, await this.draw(request, organizationId));
    });
  }

  /** @returns the organization that is charged */
  private async authorize({ brandId, requester, model }: ImageToGenerate): Promise<string> {
    const { organizationId } = await this.queries.execute(new GetBrand({ brandId }));
    if (requester.kind === 'operator') return organizationId;
    const { caller } = requester;
    caller.must('posts.write', { organizationId, brandId }, () => new BrandNotFound());
    concerns(organizationId);
    if (model !== undefined && !caller.isAdministratorOf(organizationId))
      throw new ModelOverrideIsNotPermitted();
    return organizationId;
  }

  /** Waits for an earlier call with the same key that still runs at the gateway, such as that of a process that was killed. */
  private async draw(request: ImageToGenerate, organizationId: string): Promise<ImagesResult> {
    const { requester, model, idempotencyKey, left: signal, image } = request;
    const { timeoutMs } = this.config;
    const isPerson = requester.kind === 'caller' && !requester.caller.isAutomation;
    const userId = isPerson ? requester.caller.id : undefined;
    const call: AiClientCall = { organizationId, userId, idempotencyKey, model, timeoutMs, signal };
    const until = performance.now() + timeoutMs;
    for (;;) {
      const result = await this.ai.drawImages(call, image);
      signal?.throwIfAborted();
      if (!isStillRunning(result) || performance.now() >= until) return imageIn(result);
      await sleep(PAUSE_MS, undefined, { signal });
    }
  }

  private async store(
    { brandId, requester, image: { prompt }, alongside }: ImageToGenerate,
    organizationId: string,
    { id: requestId, model, cost, attempts, images: [drawn] }: ImagesResult,
  ): Promise<GeneratedImage> {
    if (!drawn) throw new TypeError('A result has at least one image.');
    const { bytes, mediaType: contentType, revisedPrompt } = drawn;
    const withFile = (file: GeneratedImage['file']) => ({ file, model, cost, attempts });
    const file = await this.commands.execute(
      new StoreGeneratedFile({
        brandId,
        organizationId,
        bytes,
        contentType,
        fileName: fileNameOf(prompt, contentType),
        generation: { prompt, revisedPrompt, model, cost, attempts, requestId },
        createdBy: creatorOf(requester),
        alongside: (executor, stored) => alongside(executor, withFile(stored)),
      }),
    );
    return withFile(file);
  }
}

/** The words that the library finds it by. */
function fileNameOf(prompt: string, contentType: string): string {
  const words = [...prompt.replaceAll(/[/\\.]+/g, ' ').trim()].slice(0, NAME_CHARACTERS).join('');
  return `${words.trim()}.${contentType.slice('image/'.length)}`;
}

const creatorOf = (requester: Requester): GeneratedFile['createdBy'] =>
  requester.kind === 'operator'
    ? { created_by_type: 'service', created_by: requester.serviceId }
    : { created_by_type: requester.caller.type, created_by: requester.caller.id };
