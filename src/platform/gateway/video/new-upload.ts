export const VIDEO_PRIVACIES = ['private', 'unlisted', 'public'] as const;

/** A video as it is announced to the provider. */
export interface NewUpload {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  /** https://developers.google.com/youtube/v3/docs/videoCategories */
  readonly categoryId: string;
  readonly privacy: (typeof VIDEO_PRIVACIES)[number];
  readonly madeForKids: boolean;
  readonly containsSyntheticMedia: boolean;
  /** Length of the file. */
  readonly bytes: number;
  readonly contentType: string;
}
