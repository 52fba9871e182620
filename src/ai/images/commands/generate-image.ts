import { CommandHandler, type ICommandHandler, QueryBus } from '@nestjs/cqrs';
import { BrandNotFound, type Caller } from '#libs/auth';
import { concerns, IdempotencyKeyIsTaken } from '#libs/http';
import { RequestCommand } from '#libs/messages';
import { StorageQuota } from '#libs/uploads';
import { GetBrand } from '../../../brands/index.js';
import { type Alongside, DrawImage, type GeneratedImage, type ImageOrder } from '../drawing/draw-image.js';
import { ImageIsStillDrawn, ModelOverrideIsNotPermitted } from '../image.errors.js';
import { ImageMetrics } from '../drawing/image.metrics.js';
import { ImageMemory, ImageSlots } from '../drawing/image-limits.js';
import { imageIn, isUnpaid } from '../drawing/image-results.js';
import { ImagesConfig } from '../images.config.js';
import { KeyedImages } from '../drawing/keyed-images.js';
import { KeyedImagesStore } from '../keyed-images.store.js';

/** A person or a service principal; or operator automation with the internal service token, in the name of this service. */
export type Requester =
  | { readonly kind: 'caller'; readonly caller: Caller }
  | { readonly kind: 'operator'; readonly serviceId: string };

export interface ImageToGenerate {
  readonly brandId: string;
  readonly requester: Requester;
  readonly image: ImageOrder['image'];
  /** `provider/model` in place of the default; for this request only. */
  readonly model?: string;
  /** The same key draws one picture, also after a crash. */
  readonly idempotencyKey?: string;
  /** Aborted when the client has left: ends the call to the provider. */
  readonly left?: AbortSignal;
  readonly alongside: Alongside;
}

/**
 * Asks the models of the organization for one picture and stores it in the library of a brand. A picture whose key is known may be paid
 * for: no quota or hourly limit refuses it. One that another process has stored runs no `alongside`.
 * @throws BrandNotFound, IdempotencyKeyIsTaken, ScopeIsMissing, the errors of ../image.errors.ts, StorageQuotaIsExceeded, the errors of StoreGeneratedFile
 */
export class GenerateImage extends RequestCommand<ImageToGenerate, GeneratedImage> {}

@CommandHandler(GenerateImage)
export class GenerateImageHandler implements ICommandHandler<GenerateImage> {
  constructor(
    private readonly queries: QueryBus,
    private readonly drawing: DrawImage,
    private readonly keyed: KeyedImages,
    private readonly store: KeyedImagesStore,
    private readonly quota: StorageQuota,
    private readonly slots: ImageSlots,
    private readonly memory: ImageMemory,
    private readonly metrics: ImageMetrics,
    private readonly config: ImagesConfig,
  ) {}

  execute({ request }: GenerateImage): Promise<GeneratedImage> {
    return this.metrics.counting(() => this.generate(request), request.left);
  }

  private async generate(request: ImageToGenerate): Promise<GeneratedImage> {
    const order = this.orderOf(request, await this.authorize(request));
    const { idempotencyKey: key, left: signal, alongside } = request;
    if (key !== undefined) return this.withKey(order, key, alongside);
    signal?.throwIfAborted();
    return this.slots.run(order.organizationId, async () => {
      const giveBack = await this.admit(order);
      return this.memory.holding(async (reserve) => {
        const result = await this.drawing.draw(order, { reserve, signal });
        if (isUnpaid(result)) giveBack();
        return this.drawing.store(order, imageIn(result), alongside);
      });
    });
  }

  private async withKey(order: ImageOrder, key: string, alongside: Alongside): Promise<GeneratedImage> {
    const known = await this.store.find(key, order);
    if (known && !known.isSame) throw new IdempotencyKeyIsTaken();
    if (known?.result) return known.result;
    return this.slots.run(order.organizationId, async () => {
      const giveBack = known ? undefined : await this.admit(order);
      const claimed = known ? await this.store.resume(key) : await this.store.begin(key, order);
      if (!claimed) {
        giveBack?.();
        throw new ImageIsStillDrawn();
      }
      const how = { isFirst: !known, alongside, giveBack };
      return this.store.whileHeld(claimed, (signal) => this.keyed.finish(claimed, { ...how, signal }));
    });
  }

  /** Before the payment. @returns as `ImageSlots.count` */
  private async admit({ organizationId }: ImageOrder): Promise<() => void> {
    await this.quota.assertSpaceFor(organizationId, 1);
    return this.slots.count(organizationId);
  }

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

  private orderOf({ brandId, requester, model, image }: ImageToGenerate, organizationId: string): ImageOrder {
    const isPerson = requester.kind === 'caller' && !requester.caller.isAutomation;
    const userId = isPerson ? requester.caller.id : undefined;
    const call = { userId, model, timeoutMs: this.config.timeoutMs };
    return { brandId, organizationId, createdBy: creatorOf(requester), call, image };
  }
}

const creatorOf = (requester: Requester): ImageOrder['createdBy'] =>
  requester.kind === 'operator'
    ? { created_by_type: 'service', created_by: requester.serviceId }
    : { created_by_type: requester.caller.type, created_by: requester.caller.id };
