import type { TaskFunction } from '../isolation/media-task.js';
import type { RenderInput, RenderOutput } from './domain/render.types.js';
import { render } from './render.js';

export type RenderTaskInput = Pick<RenderInput, 'kind' | 'spec' | 'focus' | 'aiMark' | 'isCopied'>;

export const run: TaskFunction<RenderTaskInput, RenderOutput> = ({ source, folder }, input) =>
  render({ ...input, source, folder });
