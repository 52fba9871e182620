import { type Finding, isMarked, type MediaFacts, type MediaKind, type RenditionSpec } from '#libs/content';
import type { NetworkRules } from '../provider.types.js';
import {
  above,
  copyRules,
  type FileLimits,
  fileRules,
  type MediaRule,
  NAMES,
  warningRule,
} from './file-rules.js';
import { error, findingsOf, type NetworkName } from './content-rules.js';

/** What a network takes in one post. A kind that is absent is refused. */
export interface MediaLimits {
  readonly kinds: { readonly [Kind in MediaKind]?: FileLimits };
  /** 1 where every post needs a file. */
  readonly min: number;
  readonly max: number;
  /** Whether files of several kinds can be together in a post. */
  readonly mixed: boolean;
  /** Kinds whose description the network shows, and its longest length in characters; null: none. */
  readonly altText: { readonly kinds: readonly MediaKind[]; readonly max: number } | null;
  /** Kinds of files that the network can be told of as made by a model. */
  readonly aiFlag: readonly MediaKind[];
}

/** What a file becomes by its kind alone. A kind that is absent is refused. */
export const renditionsBy =
  (specs: { readonly [Kind in MediaKind]?: RenditionSpec }): NetworkRules['renditions'] =>
  ({ media }) =>
    media.map(({ kind }) => kind && (specs[kind] ?? null));

/** What the network would refuse or not show of the files of a post. @param more further rules about each file of a kind */
export function mediaFindings(
  network: NetworkName,
  limits: MediaLimits,
  media: readonly MediaFacts[],
  more: { readonly [Kind in MediaKind]?: readonly MediaRule[] } = {},
): Finding[] {
  const ofFile = (file: MediaFacts, index: number) => {
    const { kind } = file;
    if (kind === null) return [];
    const own = limits.kinds[kind];
    if (!own) return [];
    return brokenRules(
      network,
      file,
      [
        ...fileRules(network.displayName, kind, own),
        ...copyRules(own),
        ...altTextRules(network, limits.altText),
        aiFlagRule(network, limits.aiFlag),
        ...(more[kind] ?? []),
      ],
      index,
    );
  };
  return [...together(network, limits, media), ...media.flatMap(ofFile)];
}

/** One finding for each rule that the file breaks. @param index of the file in the post */
export function brokenRules(
  { platform }: NetworkName,
  file: MediaFacts,
  rules: readonly MediaRule[],
  index: number,
): Finding[] {
  return rules
    .filter(({ isBroken }) => isBroken(file))
    .map(({ id, severity, message }) => ({
      ruleId: `${platform}.media.${id}`,
      severity,
      message,
      pointer: `#/mediaIds/${index}`,
    }));
}

/** Rules about all files of a post: kinds, counts, mixing. */
function together(network: NetworkName, limits: MediaLimits, media: readonly MediaFacts[]): Finding[] {
  const { platform, displayName } = network;
  const kinds = [...new Set(media.flatMap(({ kind }) => kind ?? []))];
  const finding = (id: string, message: string, pointer = '#/mediaIds') =>
    error(`${platform}.media.${id}`, `${displayName} ${message}`, pointer);
  const refused = media.flatMap(({ kind }, index) =>
    kind === null || limits.kinds[kind]
      ? []
      : [finding('kind', `takes no ${NAMES[kind]} in a post. Remove the file.`, `#/mediaIds/${index}`)],
  );
  const tooMany = kinds.flatMap((kind) => {
    const max = limits.kinds[kind]?.max ?? limits.max;
    if (max >= limits.max || media.filter((file) => file.kind === kind).length <= max) return [];
    return [finding(`too-many-${NAMES[kind]}`, `takes at most ${max} of ${NAMES[kind]} in a post.`)];
  });
  return findingsOf(
    refused,
    tooMany,
    media.length < limits.min && finding('required', 'needs a file in every post. Add one.'),
    kinds.length > 1 &&
      !limits.mixed &&
      finding('mixed', 'shows files of one kind in a post. Remove the others.'),
    media.length > limits.max &&
      finding('too-many', `takes at most ${limits.max} ${limits.max === 1 ? 'file' : 'files'} in a post.`),
  );
}

const aiFlagRule = ({ displayName }: NetworkName, flagged: readonly MediaKind[]): MediaRule =>
  warningRule(
    'ai-unflagged',
    ({ aiMark, kind }) => isMarked(aiMark) && kind !== null && !flagged.includes(kind),
    `A model made this file, and ${displayName} has no flag for that. The file says so itself; mention it in the text.`,
  );

function altTextRules({ displayName }: NetworkName, altText: MediaLimits['altText']): MediaRule[] {
  const lengthOf = (file: MediaFacts) => [...(file.altText?.trim() ?? '')].length;
  const isShown = ({ kind }: MediaFacts) => kind !== null && altText !== null && altText.kinds.includes(kind);
  return [
    warningRule(
      'alt-text-cut',
      (file) => isShown(file) && above(lengthOf(file), altText?.max),
      `${displayName} shows at most ${altText?.max} characters of an alt text. The rest is cut.`,
    ),
    warningRule(
      'alt-text-unsupported',
      (file) => !isShown(file) && lengthOf(file) > 0,
      `${displayName} does not show the alt text of this file.`,
    ),
  ];
}
