import type { PrepareCall, PrepareResponse } from '../../domain/provider-publishing.js';
import { refusedHere } from '../failures.js';
import { missingFile } from '../file-part.js';
import { graphIdIn } from '../graph/graph-wire.js';
import { prepareResponseOf, type ResponseReader } from '../network-responses.js';
import { memberOf } from '../values.js';
import type { ContainerApi } from './container-api.js';
import { readerOf } from './container-errors.js';
import { CONTAINER_FAILURES as FAILURES, REMEDIES } from './container-failures.js';
import { type ContainerNetwork, QUOTA } from './container-network.js';
import * as plan from './container-plan.js';
import type { ContainerStep } from './container-plan.js';
import { isNotFound } from './container-values.js';

/**
 * Prepares a container, one call after the other. Every call may be repeated: a container whose creation was not answered stays
 * unpublished and expires. Containers are created with the address of each file; the network fetches it from the media host.
 */
export class ContainerPreparation {
  constructor(
    private readonly network: ContainerNetwork,
    private readonly api: ContainerApi,
  ) {}

  prepare(call: PrepareCall): Promise<PrepareResponse> {
    const { files, content, prepared } = call;
    const count = content.mediaIds.length;
    if (files.length < count) return Promise.resolve(missingFile);
    const first = plan.firstContainer(count);
    const step = plan.stepOf(call.step, count);
    const isFirst = plan.stepName(step) === plan.stepName(first);
    if (plan.hasExpired(prepared) && step.call !== 'quota' && !isFirst)
      return Promise.resolve(plan.next(first));
    switch (step.call) {
      case 'quota':
        return this.quota(call, first);
      case 'item':
      case 'container':
        return this.create(call, step, count);
      case 'item-status':
      case 'status':
        return this.status(call, step, count);
    }
  }

  /** Counts posts that other services publish for the account. A question that is refused by itself holds nothing back. */
  private async quota(call: PrepareCall, first: ContainerStep): Promise<PrepareResponse> {
    const response = await this.api.quota(call);
    const isUsedUp = (body: unknown) =>
      this.network
        .readingsIn({ status: 200, headers: {}, body })
        .some(({ name, remaining }) => name === QUOTA && remaining <= 0);
    const { displayName } = this.network;
    const result = prepareResponseOf(this.reader(call), response, ({ body }) =>
      isUsedUp(body) ? refusedHere(displayName, FAILURES.dailyLimit, REMEDIES.dailyLimit) : plan.next(first),
    );
    if (result.kind === 'refused' && !result.refusal.remedy) return plan.next(first);
    return result.kind === 'no-answer' && response.kind === 'answered' ? plan.next(first) : result;
  }

  private async create(call: PrepareCall, step: ContainerStep, count: number): Promise<PrepareResponse> {
    const children = count > 1 ? plan.itemsOf(call.prepared, count) : [];
    if (step.call === 'container' && children === null) return plan.next(plan.firstContainer(count));
    const fields = 'file' in step ? this.itemFields(call, step.file) : this.fields(call, children ?? []);
    const response = await this.api.create(call, fields);
    return prepareResponseOf(this.reader(call), response, ({ body }) => {
      const id = graphIdIn(memberOf(body, 'id'));
      if (id === null) return null;
      const following: ContainerStep = 'file' in step ? plan.afterItem(step.file, count) : { call: 'status' };
      return { ...plan.next(following), ...plan.created(call.prepared, step, id) };
    });
  }

  private async status(call: PrepareCall, step: ContainerStep, count: number): Promise<PrepareResponse> {
    const container =
      'file' in step ? plan.itemOf(call.prepared, step.file) : plan.containerOf(call.prepared);
    if (container === null) return plan.next(plan.firstContainer(count));
    const response = await this.api.status(call.accessToken, container);
    if (isNotFound(response)) return this.wait(call, step);
    return prepareResponseOf(this.reader(call), response, ({ body }) => {
      const state = this.network.stateIn(body);
      switch (state?.kind) {
        case undefined:
          return null;
        case 'in-progress':
        case 'other':
          return this.wait(call, step);
        case 'expired':
          return refusedHere(this.network.displayName, FAILURES.expired, REMEDIES.prepareAgain);
        case 'error':
          return { kind: 'refused', refusal: this.network.failureOf(state.reason) };
        case 'finished':
        case 'published':
          if ('file' in step) return this.afterItemStatus(step.file, count);
          return state.kind === 'published' ? plan.isPublished(container) : { kind: 'ready' };
      }
    });
  }

  private afterItemStatus(file: number, count: number): PrepareResponse {
    return { ...plan.next(plan.afterItemStatus(file, count)), notes: { waited: '0' } };
  }

  /** A container that is never processed was not published: another one may be processed. */
  private wait(call: PrepareCall, step: ContainerStep): PrepareResponse {
    const files = 'file' in step ? call.files.slice(step.file, step.file + 1) : call.files;
    const isVideo = files.some(({ kind }) => kind === 'video');
    return (
      plan.wait(call.prepared, step, isVideo ? 'video' : 'picture') ??
      refusedHere(this.network.displayName, FAILURES.processingTimeout, REMEDIES.prepareAgain)
    );
  }

  private itemFields(call: PrepareCall, index: number) {
    const [file] = call.files.slice(index);
    return file ? this.network.itemFields(file) : {};
  }

  private fields({ content, files }: PrepareCall, children: readonly string[]) {
    return this.network.containerFields(content, files, children);
  }

  private reader({ content }: PrepareCall): ResponseReader {
    return readerOf(this.network, 'step', content);
  }
}
