/** Who may see a post. A network has some of these. */
export const PRIVACIES = ['public', 'unlisted', 'connections', 'followers', 'friends', 'private'] as const;
export type Privacy = (typeof PRIVACIES)[number];

/** What a reader may be kept from doing with a post. */
export const REACTIONS = ['comments', 'duets', 'stitches'] as const;
export type Reaction = (typeof REACTIONS)[number];

/** What a post advertises: the author's own business, or another one that paid for it. */
export const PROMOTIONS = ['own-brand', 'paid-partnership'] as const;
export type Promotion = (typeof PROMOTIONS)[number];

/** Where a network shows a post. */
export const FORMATS = ['feed', 'reel', 'story'] as const;
export type PostFormat = (typeof FORMATS)[number];

/** Choices that only some networks have. An absent one leaves the decision to the rules of the network. */
export interface PostOptions {
  readonly privacy?: Privacy;
  /** It shows realistic pictures or sound that a machine made. A file can say so too, see AiMark. */
  readonly madeWithAi?: boolean;
  /** Declared by the author, as the law of some countries requires for videos. */
  readonly madeForKids?: boolean;
  /** Keywords that are not part of the text, without #. */
  readonly tags?: readonly string[];
  readonly promotion?: Promotion;
  readonly disallow?: readonly Reaction[];
  readonly format?: PostFormat;
  /** Time of the frame of the video that is shown as its cover, in milliseconds. */
  readonly coverAtMs?: number;
}

export type PostOption = keyof PostOptions;
