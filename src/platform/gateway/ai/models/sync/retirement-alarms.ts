import { Injectable, Logger } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Database, statement } from '#libs/database';
import { Metrics } from '#libs/http';

export interface RetirementAlarm {
  readonly model: string;
  /** `YYYY-MM-DD`. */
  readonly retiresAt: string;
  /** How many organizations name it; the platform counts as one. */
  readonly preferences: number;
}

export const ALARM_DAYS = 30;

/**
 * Models that a preference names as default or fallback and that are retired within the time, once for each date of retirement:
 * the primary key lets one replica insert. $1 days
 */
const RAISE = statement(
  'gateway_raise_retirement_alarms',
  `WITH named AS (
     SELECT name, count(*)::int AS preferences
       FROM (SELECT DISTINCT coalesce(organization_id::text, '') AS scope, name
               FROM gateway.model_preference,
                    unnest(array_append(coalesce(fallback_chain, '{}'), default_model)) AS name
              WHERE name IS NOT NULL) AS scoped
      GROUP BY name),
   raised AS (
     INSERT INTO gateway.model_alarm (provider, model, retires_at)
     SELECT m.provider, m.id, m.retires_at
       FROM named JOIN gateway.model m
         ON m.provider = split_part(named.name, '/', 1) AND m.id = substr(named.name, strpos(named.name, '/') + 1)
      WHERE m.retires_at <= (now() AT TIME ZONE 'UTC')::date + $1::int
     ON CONFLICT DO NOTHING
     RETURNING provider, model, retires_at)
   SELECT named.name AS model, to_char(raised.retires_at, 'YYYY-MM-DD') AS "retiresAt", named.preferences
     FROM raised JOIN named ON named.name = raised.provider || '/' || raised.model
    ORDER BY raised.retires_at, named.name`,
);

/** Tells operators ahead of time of models that preferences name and providers will refuse. */
@Injectable()
export class RetirementAlarms {
  private readonly logger = new Logger(RetirementAlarms.name);
  private readonly raised: Counter<'model'>;

  constructor(
    private readonly database: Database,
    metrics: Metrics,
  ) {
    this.raised = new Counter({
      name: 'gateway_model_retirement_alarms_total',
      help: 'Models of preferences that are retired within 30 days; once for each model and date.',
      labelNames: ['model'] as const,
      registers: [metrics.registry],
    });
  }

  /** Logged before the commit: a process that ends in between raises the alarm again, not never. */
  raise(): Promise<readonly RetirementAlarm[]> {
    return this.database.transaction(async (transaction) => {
      const alarms = await transaction.query<RetirementAlarm>(RAISE, [ALARM_DAYS]);
      for (const alarm of alarms) {
        this.logger.error(
          { ...alarm },
          'A model of preferences will be retired. Choose another one before that day.',
        );
        this.raised.inc({ model: alarm.model });
      }
      return alarms;
    });
  }
}
