/** An allowed action on the current version of a content item, as a complete request. */
export interface SafeAction {
  readonly action: string;
  readonly method: 'PATCH' | 'POST';
  readonly path: string;
  /** The version it applies to. */
  readonly version: number;
  /** Send as `If-Match` to require that version. */
  readonly ifMatch: string;
  readonly requires: {
    readonly scopes: readonly string[];
    /** Required members of the body; none if the body is optional. */
    readonly body: readonly string[];
  };
}

interface Recipe {
  readonly method: 'PATCH' | 'POST';
  readonly under: string;
  readonly scopes: readonly string[];
  readonly body: readonly string[];
}

const WRITES = ['posts.write'];
const SCHEDULES = ['posts.write', 'calendar.write'];

/** The actions of these routes. Other actions on posts are not offered here. */
const RECIPES: Readonly<Record<string, Recipe>> = {
  edit: { method: 'PATCH', under: '', scopes: WRITES, body: [] },
  approve: { method: 'POST', under: '/approve', scopes: WRITES, body: [] },
  reject: { method: 'POST', under: '/reject', scopes: WRITES, body: [] },
  reschedule: { method: 'POST', under: '/reschedule', scopes: SCHEDULES, body: ['scheduledAt'] },
  retry: { method: 'POST', under: '/retry', scopes: SCHEDULES, body: [] },
  resolve: { method: 'POST', under: '/resolve', scopes: WRITES, body: ['delivered'] },
};

export interface Actionable {
  readonly id: string;
  readonly version: number;
  /** As determined by the guards of the decisions. */
  readonly allowedActions: readonly string[];
  /** If it is in the future, approval also schedules the item. */
  readonly proposedTime: string | null;
}

/** Instants in RFC 3339, UTC, milliseconds. */
export function safeActionsOf(item: Actionable, now: string): SafeAction[] {
  const approvalSchedules = item.proposedTime !== null && item.proposedTime > now;
  return item.allowedActions.flatMap((action) => {
    const recipe = RECIPES[action];
    if (!recipe) return [];
    const scopes = action === 'approve' && approvalSchedules ? SCHEDULES : recipe.scopes;
    return [written(item, action, { ...recipe, scopes })];
  });
}

function written(item: Actionable, action: string, { method, under, scopes, body }: Recipe): SafeAction {
  return {
    action,
    method,
    path: `/api/content-ops/items/${item.id}${under}`,
    version: item.version,
    ifMatch: `"v${item.version}"`,
    requires: { scopes, body },
  };
}
