/** What is wrong with a post before it is sent. An `error` can never be published; a `warning` may be. */
export interface Finding {
  /** Stable name of the rule, `<platform>.<subject>.<problem>`. */
  readonly ruleId: string;
  readonly severity: 'error' | 'warning';
  /** A sentence for the author. */
  readonly message: string;
  /** JSON pointer into the post, such as `#/text`. */
  readonly pointer: string;
}
