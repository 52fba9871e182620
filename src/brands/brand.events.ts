import type { DomainEvent } from '#libs/event-store';

type Happened<Type extends string, Data> = DomainEvent<Type, { readonly brandId: string } & Data>;

export type BrandCreated = Happened<
  'BrandCreated',
  { readonly organizationId: string; readonly name: string; readonly timezone: string }
>;
export type BrandRenamed = Happened<'BrandRenamed', { readonly name: string }>;
/** IANA name. Days of the rollups are cut in it from now on, those already past too. */
export type BrandTimezoneChanged = Happened<'BrandTimezoneChanged', { readonly timezone: string }>;
/** Its posts, connections and history go along; the former organization sees nothing any more. */
export type BrandTransferred = Happened<'BrandTransferred', { readonly from: string; readonly to: string }>;

export type BrandEvent = BrandCreated | BrandRenamed | BrandTimezoneChanged | BrandTransferred;
