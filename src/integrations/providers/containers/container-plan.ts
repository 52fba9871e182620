import { stepsOf } from '../upload-steps.js';
import type { PrepareResponse, Prepared } from '../../domain/provider-publishing.js';

/** `file` is the index of a file of a carousel. */
const STEPS = stepsOf({ quota: [], container: [], status: [], item: ['file'], 'item-status': ['file'] });
export type ContainerStep = Parameters<typeof STEPS.stepName>[0];
export const { stepName, next } = STEPS;

/** A container that is not published expires after 24 hours; it is not used in the last tenth of them. */
const LIFE_MS = 0.9 * 86_400_000;
/** Between two questions for the status: the documentation asks for one minute, which is long for a picture. */
const LONGEST_POLL_MS = 60_000;
/** All waits for one container end after this. The documentation gives up after five minutes; long videos take longer. */
export const POLL_BUDGETS_MS = { picture: 600_000, video: 3_600_000 } as const;
/** The first wait for a container. A picture is processed within seconds. */
const FIRST_POLLS_MS = { picture: 3_000, video: 10_000 } as const;

/** A step that this release does not know begins with the containers again. @param files of the post */
export function stepOf(name: string, files: number): ContainerStep {
  const first = firstContainer(files);
  const step = STEPS.stepIn(name, first);
  return 'file' in step && step.file >= files ? first : step;
}

/** Two or more files form a carousel: a container for each, then one for all. */
export const firstContainer = (files: number): ContainerStep =>
  files > 1 ? { call: 'item', file: 0 } : { call: 'container' };

/** After the container of a file exists. All of them are created first, so that the network processes them together. */
export const afterItem = (file: number, files: number): ContainerStep =>
  file + 1 < files ? { call: 'item', file: file + 1 } : { call: 'item-status', file: 0 };

/** After the container of a file is processed. */
export const afterItemStatus = (file: number, files: number): ContainerStep =>
  file + 1 < files ? { call: 'item-status', file: file + 1 } : { call: 'container' };

/** The container of the post; null: there is none yet. */
export const containerOf = ({ ids }: Prepared): string | null => ids.container ?? null;

/** The container of a file of a carousel. */
export const itemOf = ({ ids }: Prepared, file: number): string | null => ids[`item-${file}`] ?? null;

/** The containers of all files; null: one is missing. */
export function itemsOf(prepared: Prepared, files: number): string[] | null {
  const ids = Array.from({ length: files }, (_, file) => itemOf(prepared, file));
  return ids.every((id) => id !== null) ? ids : null;
}

/** What is stored of a new container. The first one of a post ends first. */
export function created(
  prepared: Prepared,
  step: ContainerStep,
  id: string,
): Pick<Prepared, 'ids' | 'notes'> {
  const isFirst =
    step.call === 'container' ? itemOf(prepared, 0) === null : 'file' in step && step.file === 0;
  return {
    ids: { ['file' in step ? `item-${step.file}` : 'container']: id },
    notes: { waited: '0', ...(isFirst && { until: String(prepared.ageMs + LIFE_MS) }) },
  };
}

/** Whether the containers may have expired before the post is published. `ageMs` stays the same during an attempt. */
export const hasExpired = ({ notes, ageMs }: Prepared): boolean =>
  notes.until !== undefined && ageMs > Number(notes.until);

/** Each wait is as long as all before it. @param kind of the slowest file; `picture` without @returns null: the budget is used up */
export function wait(
  { notes }: Prepared,
  step: ContainerStep,
  kind: 'picture' | 'video',
): PrepareResponse | null {
  const waited = Number(notes.waited ?? 0);
  if (!(waited < POLL_BUDGETS_MS[kind])) return null;
  const milliseconds = Math.min(LONGEST_POLL_MS, Math.max(FIRST_POLLS_MS[kind], waited));
  return {
    kind: 'wait',
    step: stepName(step),
    milliseconds,
    notes: { waited: String(waited + milliseconds) },
  };
}

/** A container that the network calls published, before this attempt publishes it: an earlier attempt did. */
export const isPublished = (container: string): PrepareResponse => ({
  kind: 'ready',
  notes: { published: container },
});

export const wasPublished = ({ notes, ids }: Prepared): boolean =>
  ids.container !== undefined && notes.published === ids.container;
