import type { AiClientCall, ImageRequest, ImagesResult } from '#libs/platform-client';
import type { GeneratedFile } from '../../../media/index.js';

/** Everything that a picture is drawn and stored by; JSON, so that another process can finish it. */
export interface ImageOrder extends Pick<GeneratedFile, 'brandId' | 'organizationId' | 'createdBy'> {
  /** The gateway compares a repeated call as a whole, its time limit included. */
  readonly call: Pick<AiClientCall, 'userId' | 'model' | 'timeoutMs'>;
  readonly image: Omit<ImageRequest, 'count'>;
}

export type GeneratedImage = Pick<ImagesResult, 'model' | 'requestedModel' | 'cost' | 'attempts'> & {
  readonly file: Parameters<GeneratedFile['alongside']>[1];
};

/** Runs in the transaction that stores the file. */
export type Alongside = (
  executor: Parameters<GeneratedFile['alongside']>[0],
  generated: GeneratedImage,
) => Promise<void>;
