import { Injectable } from '@nestjs/common';
import { Database } from '#libs/database';
import type { AiCapability } from '../../../access/attribution.js';
import { type UsageGroup, UsageReport } from '../../usage/report/usage-report.js';
import { type CatalogModel, ModelDto } from '../catalog/model.dto.js';
import { ModelsStore } from '../catalog/models.store.js';
import { effectivePreference } from '../domain/choice.js';
import { isPricedFor } from '../domain/priced-for.js';
import { dollarsOf } from '../domain/prices.js';
import { CatalogSources } from '../sync/catalog-sources.js';
import { warningsOf } from '../preferences/preference.js';
import {
  CANDIDATES,
  COUNT_OVERRIDES,
  NAMED_MODELS,
  PREFERENCES,
  PRICE_OVERRIDES,
  SOURCES,
  USES_OF,
} from './governance.sql.js';
import type {
  GovernanceDto,
  GovernedModelDto,
  GovernedPreferenceDto,
  PriceOverrideDto,
  SourceHealthDto,
  UnpricedModelDto,
  UsedModelDto,
} from './governance.dto.js';

type StoredRow = Omit<GovernedPreferenceDto, 'warnings'>;
type Catalog = ReadonlyMap<string, CatalogModel>;

interface NamedModel {
  readonly model: string;
  readonly capability: AiCapability;
  readonly preferences: number;
}

export const USAGE_DAYS = 30;
const MAX_PREFERENCES = 600;
const MAX_USED = 1_000;
const MAX_UNPRICED = 600;
const MAX_SHOWN = 200;
const DAY_MS = 86_400_000;

/** How models are used and what is wrong with them, for the platform or for one organization. */
@Injectable()
export class Governance {
  constructor(
    private readonly database: Database,
    private readonly models: ModelsStore,
    private readonly usage: UsageReport,
    private readonly sources: CatalogSources,
  ) {}

  /** @param organizationId null: the platform, with all organizations */
  async view(organizationId: string | null): Promise<GovernanceDto> {
    const stored = await this.database.query<StoredRow>(PREFERENCES, [organizationId, MAX_PREFERENCES]);
    const recent = await this.recentUsage(organizationId);
    const named = await this.database.query<NamedModel>(NAMED_MODELS, [organizationId]);
    const names = new Set([...named, ...recent.models].map(({ model }) => model));
    const catalog = await this.models.named([...names]);
    const preferences = stored.map((row) => withWarnings(row, stored, catalog));
    return {
      organizationId,
      platformDefaults: preferences.filter((row) => row.organizationId === null),
      overrides: await this.overrides(organizationId, preferences),
      recentUsage: { ...recent, models: recent.models.slice(0, MAX_SHOWN) },
      lifecycle: governed(names, named, recent.models, catalog).slice(0, MAX_SHOWN),
      unpricedConfiguredModels: await this.unpriced(organizationId, named, catalog),
      upstreamCandidateModels: await this.candidates([...names], allowedOf(organizationId, stored)),
      catalogSources: await this.sourceHealth(organizationId),
    };
  }

  private async unpriced(
    organizationId: string | null,
    named: readonly NamedModel[],
    catalog: Catalog,
  ): Promise<UnpricedModelDto[]> {
    const without = named.filter(
      ({ model, capability }) => !isPricedFor(capability, model, catalog.get(model)?.prices ?? null),
    );
    if (without.length === 0) return [];
    const [models, capabilities] = [
      without.map(({ model }) => model),
      without.map(({ capability }) => capability),
    ];
    return this.database.query(USES_OF, [organizationId, models, capabilities, MAX_UNPRICED]);
  }

  private async overrides(
    organizationId: string | null,
    preferences: readonly GovernedPreferenceDto[],
  ): Promise<GovernanceDto['overrides']> {
    const [counted] = await this.database.query<{ total: number }>(COUNT_OVERRIDES, [organizationId]);
    return {
      preferences: preferences.filter((row) => row.organizationId !== null),
      preferencesTotal: counted?.total ?? 0,
      prices: await this.database.query<PriceOverrideDto>(PRICE_OVERRIDES, [MAX_SHOWN]),
    };
  }

  /** By cost, the highest first. */
  private async recentUsage(organizationId: string | null): Promise<GovernanceDto['recentUsage']> {
    const moment = await this.usage.moment();
    const { today: to } = moment;
    const from = new Date(Date.parse(to) - (USAGE_DAYS - 1) * DAY_MS).toISOString().slice(0, 10);
    const filters = { organizationIds: organizationId === null ? null : [organizationId] };
    const { groups } = await this.usage.page(
      { groupBy: ['model'], from, to, filters },
      moment,
      null,
      MAX_USED,
    );
    const byCost = groups.toSorted((one, other) => Number(other.cost - one.cost) || other.calls - one.calls);
    return { from, to, models: byCost.map(recentOf) };
  }

  private async candidates(taken: readonly string[], allowed: readonly string[] | null) {
    const found = await this.database.query<CatalogModel & { total: number }>(CANDIDATES, [
      taken,
      allowed,
      MAX_SHOWN,
    ]);
    return { models: found.map(({ total: _, ...model }) => ModelDto.of(model)), total: found[0]?.total ?? 0 };
  }

  /** What failed concerns operators; organizations see that a source is behind. */
  private async sourceHealth(organizationId: string | null): Promise<SourceHealthDto[]> {
    const stored = await this.database.query<SourceHealthDto>(SOURCES);
    const never = this.sources.all
      .filter(({ name }) => stored.every(({ source }) => source !== name))
      .map(({ name }) => ({ ...NEVER, source: name }));
    const all = [...stored, ...never];
    return organizationId === null ? all : all.map((health) => ({ ...health, detail: null }));
  }
}

const NEVER: Omit<SourceHealthDto, 'source'> = {
  version: null,
  outcome: 'never',
  detail: null,
  models: 0,
  rejected: 0,
  failures: 0,
  attemptedAt: null,
  succeededAt: null,
};

/** Of what applies with the platform's preference. */
function withWarnings(row: StoredRow, all: readonly StoredRow[], catalog: Catalog): GovernedPreferenceDto {
  const platform = platformOf(row, all);
  const applying = effectivePreference(platform, row.organizationId === null ? null : row);
  return { ...row, warnings: warningsOf(applying, row.capability, catalog) };
}

const platformOf = ({ capability }: StoredRow, all: readonly StoredRow[]): StoredRow | null =>
  all.find((each) => each.organizationId === null && each.capability === capability) ?? null;

/** Models of all capabilities that the platform allows; null: all. */
function allowedOf(organizationId: string | null, all: readonly StoredRow[]): readonly string[] | null {
  if (organizationId === null) return null;
  const platform = all.filter((row) => row.organizationId === null);
  const isBounded = platform.length > 0 && platform.every(({ allowedModels }) => allowedModels !== null);
  return isBounded ? platform.flatMap(({ allowedModels }) => allowedModels ?? []) : null;
}

const recentOf = ({ keys, calls, attempts, failed, unpriced: without, cost }: UsageGroup): UsedModelDto => ({
  model: keys[0] ?? '',
  calls,
  attempts,
  failed,
  unpriced: without,
  cost: dollarsOf(cost),
});

/** Those that need attention first. */
function governed(
  names: ReadonlySet<string>,
  named: readonly NamedModel[],
  used: readonly UsedModelDto[],
  catalog: Catalog,
): GovernedModelDto[] {
  const calls = new Map(used.map((one) => [one.model, one.calls]));
  const preferences = new Map<string, number>();
  for (const { model, preferences: count } of named)
    preferences.set(model, (preferences.get(model) ?? 0) + count);
  const all = [...names].map((model) => {
    const known = catalog.get(model);
    return {
      model,
      lifecycle: known?.lifecycle ?? 'unknown',
      deprecatedAt: known?.deprecatedAt ?? null,
      retiresAt: known?.retiresAt ?? null,
      unlistedSince: known?.unlistedSince ?? null,
      refusedAt: known?.refusedAt ?? null,
      preferences: preferences.get(model) ?? 0,
      calls: calls.get(model) ?? 0,
    };
  });
  return all.toSorted((one, other) => urgency(one) - urgency(other) || (one.model < other.model ? -1 : 1));
}

function urgency({ lifecycle, unlistedSince, refusedAt }: GovernedModelDto): number {
  if (lifecycle === 'active') return unlistedSince === null && refusedAt === null ? 3 : 2;
  return lifecycle === 'deprecated' ? 1 : 0;
}
