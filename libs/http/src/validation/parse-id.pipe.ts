import type { PipeTransform } from '@nestjs/common';
import { Injectable, NotFoundException } from '@nestjs/common';
import { isUUID } from 'class-validator';

/** Of any version, and in either case: ids are compared in lower case. */
export const isUuid = (text: string): boolean => isUUID(text, 'loose');

/**
 * An id in a path or query, in lower case. What cannot be an id, such as a parameter that was repeated,
 * names nothing that exists: 404, not 400.
 */
@Injectable()
export class ParseIdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    const id = typeof value === 'string' ? value.toLowerCase() : '';
    if (!isUuid(id)) throw new NotFoundException('There is nothing with this id.');
    return id;
  }
}
