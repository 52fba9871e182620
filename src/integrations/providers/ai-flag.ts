import type { DeliveryFile } from '#libs/content';
import { isMarked } from '#libs/content';
import type { DeliveryContent } from '../domain/delivery-outcome.js';

/** Whether the network is told that a model made this: its author says so, or one of its files does. */
export const isMadeWithAi = (
  { options }: Pick<DeliveryContent, 'options'>,
  files: readonly Pick<DeliveryFile, 'aiMark'>[],
): boolean => options.madeWithAi === true || files.some(({ aiMark }) => isMarked(aiMark));
