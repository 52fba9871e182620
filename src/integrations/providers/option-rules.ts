import type { Finding, PostOption, PostOptions } from '#libs/content';
import { error } from './findings.js';

interface Named {
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
  { platform, displayName }: Named,
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
