/** Every network a post may be meant for. Whether one can be connected today is its provider's readiness. */
export const PLATFORMS = [
  'x',
  'linkedin',
  'linkedin-company',
  'facebook',
  'instagram',
  'threads',
  'youtube',
  'tiktok',
] as const;

export type Platform = (typeof PLATFORMS)[number];

export function isPlatform(name: string): name is Platform {
  return (PLATFORMS as readonly string[]).includes(name);
}
