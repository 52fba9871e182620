import type { PostalAddress } from './contact-details.js';

export type CustomValue = string | number | boolean | null;
export type CustomFields = Readonly<Record<string, CustomValue>>;

export interface FieldValues {
  readonly text: string | null;
  readonly date: string | null;
  readonly email: string | null;
  readonly texts: readonly string[];
  readonly emails: readonly string[];
  readonly addresses: readonly PostalAddress[];
  readonly customFields: CustomFields;
}
export type FieldKind = keyof FieldValues;

export interface FieldRule {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly isRight: (text: string) => boolean;
}

export interface FieldDeclaration {
  /**
   * Decides type, storage, and how an import merges: a later text is kept, texts and addresses are added to the former ones (or
   * replace them), email addresses are always added, custom fields are merged key by key.
   */
  readonly kind: FieldKind;
  /** Of contacts.contact, import_row and import_contact: text, text[] or jsonb. */
  readonly column: string;
  /** Of email addresses as they are compared. */
  readonly keyColumn?: string;
  /** Characters of a text, of each text of a list, and of each part of a postal address. */
  readonly max: number;
  readonly maxItems?: number;
  readonly maxKey?: number;
  /** Of the texts of a list in one cell. Google has ` ::: `, others semicolons or line breaks; commas never separate phone numbers. */
  readonly separator?: RegExp;
  readonly rule?: FieldRule;
  /** Only exports in which a contact has a value have a column. The index contact_with_details finds these contacts. */
  readonly isDetail?: true;
  /** An import ignores an invalid value, instead of refusing the row. */
  readonly isDispensable?: true;
  /** Another name of the field in a mapping of an import. */
  readonly alias?: string;
  /** Of columns of other programs; see known-headers.ts. */
  readonly headers: string;
  readonly shown?: string;
  readonly written?: string;
  readonly example?: unknown;
}
