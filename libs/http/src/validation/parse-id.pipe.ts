import { Injectable, NotFoundException, type PipeTransform } from '@nestjs/common';
import { isUUID } from 'class-validator';

/** Of any version, and in either case: ids are compared in lower case. */
export const isUuid = (text: string): boolean => isUUID(text, 'loose');

/**
 * An id in a path or query, in lower case. An invalid id, such as a repeated parameter, gives 404, not 400,
 * because nothing with it exists.
 */
@Injectable()
export class ParseIdPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    const id = typeof value === 'string' ? value.toLowerCase() : '';
    if (!isUuid(id)) throw new NotFoundException('There is nothing with this id.');
    return id;
  }
}
