import type { Finding, PostOption, PostOptions, Target } from '#libs/content';
import type { ContentToCheck, NetworkRules } from '../provider.types.js';

/** The network would refuse the post. */
export const error = (ruleId: string, message: string, pointer: string): Finding => ({
  ruleId,
  severity: 'error',
  message,
  pointer,
});

/** The network publishes the post, but not as its author may expect. */
export const warning = (ruleId: string, message: string, pointer: string): Finding => ({
  ruleId,
  severity: 'warning',
  message,
  pointer,
});

/** The findings among the results of rules; false: nothing is to be reported. */
export const findingsOf = (...results: readonly (Finding | false | readonly Finding[])[]): Finding[] =>
  results.flatMap((result) => result || []);

/** The text with the link behind it, for a network without link cards, unless the text has it. */
export const withLink = (text: string, link: string | null | undefined, between = '\n\n'): string => {
  if (!link || text.includes(link)) return text;
  return text === '' ? link : text + between + link;
};

export interface NetworkName {
  readonly platform: string;
  readonly displayName: string;
}

const NAMES: Readonly<Record<PostOption, string>> = {
  privacy: 'privacy setting',
  madeWithAi: 'mark for content made with AI',
  madeForKids: 'mark for content made for kids',
  tags: 'list of tags',
  promotion: 'mark for promotions',
  disallow: 'switch for comments, duets or stitches',
  format: 'choice of format',
  coverAtMs: 'choice of a cover frame',
};

/**
 * One finding for each option that the network does not have: a choice of the author is never dropped silently. An option that
 * states the usual case (`madeWithAi: false`, no tags, `format: feed`) needs nothing of the network.
 */
export function unsupportedOptions(
  { platform, displayName }: NetworkName,
  options: PostOptions,
  supported: readonly PostOption[],
): Finding[] {
  return (Object.keys(NAMES) as PostOption[])
    .filter((option) => isChosen(options[option]) && !supported.includes(option))
    .map((option) =>
      error(
        `${platform}.options.${option}`,
        `${displayName} has no ${NAMES[option]} that this service can set. Remove the option.`,
        `#/options/${option}`,
      ),
    );
}

const isChosen = (value: PostOptions[PostOption]): boolean =>
  value !== undefined && value !== false && value !== 'feed' && !(Array.isArray(value) && value.length === 0);

const PARTS = ['pageId', 'groupId', 'organizationId'] as const;

/** The parts of a target that name something else than an account. */
export const namedParts = (
  target: Target,
  among: readonly (typeof PARTS)[number][] = PARTS,
): (typeof PARTS)[number][] => among.filter((part) => target[part] !== undefined);

/** A network that has accounts only takes no other target. */
export function unsupportedTargets(
  { platform, displayName }: NetworkName,
  { target }: Pick<ContentToCheck, 'target'>,
): Finding[] {
  return namedParts(target).map((part) =>
    error(
      `${platform}.target.unsupported`,
      `${displayName} has no pages, groups or organizations. Remove them from the target.`,
      `#/target/${part}`,
    ),
  );
}

/** A post can be drafted, with a warning. No post was ever published, so no id is one. */
export const plannedRules = (platform: string, displayName: string): NetworkRules => ({
  preflight: () => [
    warning(
      `${platform}.platform.planned`,
      `${displayName} cannot be connected yet; this post cannot be published until it can.`,
      '#/platform',
    ),
  ],
  renditions: ({ media }) => media.map(() => null),
  hasThreads: true,
  isPostId: () => false,
});
