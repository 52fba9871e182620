import type { MediaContent } from '../kit/media/media-content.js';
import type { SandboxAccount, SandboxPost } from '../kit/state/accounts.js';

/** A member, or an organization with the members who have a role in it. */
export interface LinkedInAccount extends SandboxAccount {
  readonly kind: 'member' | 'organization';
  /** Of an organization: `username ROLE` or `username ROLE STATE`; the state is APPROVED when it is left out. */
  readonly roles: readonly string[];
}

interface Role {
  readonly member: string;
  readonly role: string;
  readonly state: string;
}

/** Roles whose members may post for the organization. */
const POSTING_ROLES: readonly string[] = [
  'ADMINISTRATOR',
  'CONTENT_ADMINISTRATOR',
  'DIRECT_SPONSORED_CONTENT_POSTER',
];

export const rolesOf = ({ roles }: LinkedInAccount): Role[] =>
  roles.map((text) => {
    const [member = '', role = '', state = 'APPROVED'] = text.split(' ');
    return { member, role, state };
  });

/** Whether the member may post for the organization. */
export const mayPost = (organization: LinkedInAccount, { username }: LinkedInAccount): boolean =>
  rolesOf(organization).some(
    ({ member, role, state }) => member === username && state === 'APPROVED' && POSTING_ROLES.includes(role),
  );

export const urnOf = ({ id, kind }: LinkedInAccount): string =>
  `urn:li:${kind === 'member' ? 'person' : 'organization'}:${id}`;

/** The id is the URN. `text` is what readers see; `authorId` the account whose timeline shows the post. */
export interface LinkedInPost extends SandboxPost {
  /** Little text as it was sent. */
  readonly commentary: string;
  readonly visibility: string;
  /** As it was sent. */
  readonly content: PostContent;
}

export interface PostContent {
  readonly article?: { readonly source: string; readonly title: string };
  readonly media?: ShownFile;
  readonly multiImage?: { readonly images: readonly ShownFile[] };
}

export interface ShownFile {
  readonly id: string;
  readonly title?: string;
  readonly altText?: string;
}

export const filesOf = ({ media, multiImage }: PostContent): readonly ShownFile[] =>
  media ? [media] : (multiImage?.images ?? []);

/** One image or video. Instants in epoch milliseconds. */
export interface LinkedInUpload {
  readonly id: string;
  /** Account that owns it: a member or an organization. */
  readonly ownerId: string;
  /** Member whose token began it. */
  readonly memberId: string;
  readonly kind: 'image' | 'video';
  /** Announced; null for images. */
  readonly totalBytes: number | null;
  readonly partBytes: number;
  readonly expiresAt: number;
  /** Name by index of the part. */
  readonly parts: Readonly<Record<string, string>>;
  /** null: not all bytes are there. */
  readonly complete: { readonly content: MediaContent | null; readonly until: number } | null;
}

type UploadState = 'WAITING_UPLOAD' | 'PROCESSING' | 'AVAILABLE' | 'PROCESSING_FAILED';

export const partName = (id: string, part: number): string => `${id}.${part}`;

/** Real ones carry opaque letters before the number too. */
export const mediaUrnOf = ({ id, kind }: Pick<LinkedInUpload, 'id' | 'kind'>): string =>
  `urn:li:${kind}:D4E10AQ${id}`;

/** The id of the upload with this URN. */
export const uploadIdIn = (urn: string): string =>
  /^urn:li:(?:image|video):D4E10AQ(\d+)$/.exec(urn)?.[1] ?? '';

export function stateOf({ complete }: LinkedInUpload, now: number): UploadState {
  if (complete === null) return 'WAITING_UPLOAD';
  if (complete.until > now) return 'PROCESSING';
  return complete.content === null ? 'PROCESSING_FAILED' : 'AVAILABLE';
}

/** Bounds of each part, first and last byte. */
export function boundsOf({ totalBytes, partBytes }: LinkedInUpload): { first: number; last: number }[] {
  const bytes = totalBytes ?? 0;
  return Array.from({ length: Math.ceil(bytes / partBytes) }, (_, part) => ({
    first: part * partBytes,
    last: Math.min((part + 1) * partBytes, bytes) - 1,
  }));
}
