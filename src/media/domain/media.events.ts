import type { DomainEvent } from '#libs/event-store';

interface OfMedia {
  readonly mediaId: string;
  readonly brandId: string;
}

/** The file passed inspection, or the store has its object again. */
export type MediaAdded = DomainEvent<'MediaAdded', OfMedia>;
/** The uploaded file was refused and removed; `media_missing`: the store lost its object. */
export type MediaRejected = DomainEvent<'MediaRejected', OfMedia & { readonly code: string }>;
export type MediaField = 'altText' | 'tags' | 'focusPoint';
export type MediaChanged = DomainEvent<'MediaChanged', OfMedia & { readonly changed: readonly MediaField[] }>;
/** Permanently, with the file. */
export type MediaDeleted = DomainEvent<'MediaDeleted', OfMedia>;

/** Events of one file. They hold ids and names of fields: file names, alt texts and tags can be personal data. */
export type MediaEvent = MediaAdded | MediaRejected | MediaChanged | MediaDeleted;
