/** What a person needs to try things out; everything else is found through the routes. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string;
  readonly brandId: string;
  /** Of the sandbox's X. */
  readonly handle: string;
  /** Reads and acts on the queue of the brand. */
  readonly apiKey: string;
  /** Bearer of a service principal: creates suggestions. */
  readonly serviceToken: string;
}

/** Why there is no demo, in a sentence without its full stop. Everything else runs without it. */
export class WithoutDemo extends Error {}

/** What is known after each step, so that an interrupted first start goes on where it was. */
export type Progress = Partial<Demo> & Pick<Demo, 'email' | 'password'>;
