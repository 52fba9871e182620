export interface GenerationAttempt {
  readonly provider: string;
  /** The provider's own name of the model. */
  readonly model: string;
  /** Whether the organization's own credential or that of the platform was used. */
  readonly credential: 'own' | 'platform';
  /** `answered`, or the kind of the failure. */
  readonly outcome: string;
  readonly milliseconds: number;
}

export interface Generation {
  readonly prompt: string;
  /** What the provider used in place of the prompt; null: the prompt itself. */
  readonly revisedPrompt: string | null;
  /** `provider/model` that served the request. */
  readonly model: string;
  /** The model that was named, or the default. null: not recorded. */
  readonly requestedModel: string | null;
  /** US dollars as decimal text; null: not known. */
  readonly cost: string | null;
  readonly attempts: readonly GenerationAttempt[];
  /** Of the request in the usage report of the gateway. */
  readonly requestId: string;
}
