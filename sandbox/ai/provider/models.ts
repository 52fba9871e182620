export const ABILITIES = ['completion', 'image', 'transcription'] as const;
export type Ability = (typeof ABILITIES)[number];

export interface AiModel {
  readonly id: string;
  readonly name: string;
  readonly abilities: readonly Ability[];
  /** Tokens of input and output together. */
  readonly contextWindow: number;
  readonly maxOutputTokens: number;
  /** RFC 3339 date. */
  readonly releasedAt: string;
  /** RFC 3339 date from which the provider refuses it; null: not announced. */
  readonly retiresAt: string | null;
  /** The name in responses, such as a dated snapshot; null: the id. */
  readonly snapshot: string | null;
  /** Only for its own parameters: a model that reasons refuses `max_tokens`. */
  readonly reasons: boolean;
  /** false: any but the default is refused. */
  readonly takesTemperature: boolean;
  /** Tools are refused unless the request asks for no reasoning. */
  readonly toolsNeedNoReasoning: boolean;
  /** How the provider counts a transcription. */
  readonly audioUnit: 'tokens' | 'seconds';
}

const DEFAULTS: Omit<AiModel, 'id'> = {
  name: '',
  abilities: ['completion'],
  contextWindow: 200_000,
  maxOutputTokens: 32_768,
  releasedAt: '2026-01-15',
  retiresAt: null,
  snapshot: null,
  reasons: false,
  takesTemperature: true,
  toolsNeedNoReasoning: false,
  audioUnit: 'tokens',
};

export type ModelDraft = Partial<AiModel> & Pick<AiModel, 'id'>;

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
    const model = { ...DEFAULTS, name: draft.id, ...this.models.get(draft.id), ...draft };
    this.models.set(draft.id, model);
    return model;
  }

  remove(id: string): boolean {
    return this.models.delete(id);
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
