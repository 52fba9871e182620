import type { DeliveryFile } from '#libs/content';

/** The description of a file as it is sent: at most `max` characters, because other networks take more; null: it has none. */
export function altTextOf({ altText }: Pick<DeliveryFile, 'altText'>, max: number): string | null {
  const text = altText?.trim() ?? '';
  if (text === '') return null;
  const characters = [...text];
  return characters.length <= max ? text : `${characters.slice(0, max - 1).join('')}…`;
}
