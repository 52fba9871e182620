import { type DeliveryFile, isMarked } from '#libs/content';
import type { DeliveryContent } from '../domain/delivery-outcome.js';

/** Whether the network is told that a model made this: its author says so, or one of its files does. */
export const isMadeWithAi = (
  { options }: Pick<DeliveryContent, 'options'>,
  files: readonly Pick<DeliveryFile, 'aiMark'>[],
): boolean => options.madeWithAi === true || files.some(({ aiMark }) => isMarked(aiMark));

/** The description of a file as it is sent: at most `max` characters, because other networks take more; null: it has none. */
export function altTextOf({ altText }: Pick<DeliveryFile, 'altText'>, max: number): string | null {
  const text = altText?.trim() ?? '';
  if (text === '') return null;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
