/** Where the parts are reached, without a slash at the end. */
export interface Addresses {
  readonly api: string;
  readonly identity: string;
  readonly sandbox: string;
}
