export const ABILITIES = ['completion', 'image', 'transcription'] as const;
export type Ability = (typeof ABILITIES)[number];

const DEFAULTS = {
  name: '',
  abilities: ['completion'] as readonly Ability[],
  /** Tokens of input and output together. */
  contextWindow: 200_000,
  maxOutputTokens: 32_768,
  /** RFC 3339 date. */
  releasedAt: '2026-01-15',
  /** RFC 3339 date from which the provider refuses it; null: not announced. */
  retiresAt: null as string | null,
  /** The name in responses, such as a dated snapshot; null: the id. */
  snapshot: null as string | null,
  /** Only for its own parameters: a model that reasons refuses `max_tokens`. */
  reasons: false,
  /** false: any but the default is refused. */
  takesTemperature: true,
  /** Tools are refused unless the request asks for no reasoning. */
  toolsNeedNoReasoning: false,
  /** How the provider counts a transcription. */
  audioUnit: 'tokens' as 'tokens' | 'seconds',
};
export type AiModel = Readonly<typeof DEFAULTS> & { readonly id: string };

export type ModelDraft = Partial<AiModel> & Pick<AiModel, 'id'>;

export const modelOf = (draft: ModelDraft): AiModel => ({ ...DEFAULTS, name: draft.id, ...draft });

/** Models of one provider in the order of its list. */
export class Models {
  private readonly models = new Map<string, AiModel>();

  constructor(private readonly drafts: readonly ModelDraft[]) {
    this.clear();
  }

  get all(): readonly AiModel[] {
    return [...this.models.values()];
  }

  /** Undefined also for a model that is retired. */
  find(id: string, now: Date): AiModel | undefined {
    const model = this.models.get(id) ?? this.bySnapshot(id);
    return model && !isRetired(model, now) ? model : undefined;
  }

  /** Members that are not given stay as they are. */
  put(draft: ModelDraft): AiModel {
    const model = modelOf({ ...this.models.get(draft.id), ...draft });
    this.models.set(draft.id, model);
    return model;
  }

  clear(): void {
    this.models.clear();
    for (const draft of this.drafts) this.put(draft);
  }

  private bySnapshot(id: string): AiModel | undefined {
    return this.all.find(({ snapshot }) => snapshot === id);
  }
}

export const isRetired = ({ retiresAt }: AiModel, now: Date): boolean =>
  retiresAt !== null && Date.parse(retiresAt) <= now.getTime();
