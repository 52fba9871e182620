/** Ids and credentials of the demo organization. */
export interface Demo {
  readonly email: string;
  readonly password: string;
  readonly organizationId: string;
  readonly brandId: string;
  /** Of the sandbox's X. */
  readonly handle: string;
  /** For the queue of the brand. */
  readonly apiKey: string;
  /** Bearer of a service principal: creates suggestions. */
  readonly serviceToken: string;
}

/** The demo could not be created. The message is the reason, without a full stop. Everything else runs without it. */
export class DemoIsUnavailable extends Error {}

/** The completed steps, so that the next start resumes an interrupted one. */
export type Progress = Partial<Demo> & Pick<Demo, 'email' | 'password'>;
