import { type CallHandler, type ExecutionContext, Injectable, type NestInterceptor } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Observable } from 'rxjs';
import { attributionOf } from '../../access/current-access.js';
import { maxBytesOfImages } from '../providers/wires/image-bytes.js';
import { ImageRequestDto } from './dto/image.dto.js';
import { heldUntilEnd } from './receive-large-body.interceptor.js';
import { Slots } from '../calls/admit/slots.js';

/**
 * Reserves the most bytes that the images of the call can have, before it costs anything, until the call has ended, its response is stored
 * for its key, and the response is closed. A stored response that is repeated takes as much memory and reserves as much.
 */
@Injectable()
export class ReserveImages implements NestInterceptor {
  constructor(private readonly slots: Slots) {}

  /** @throws TooManyBytes */
  intercept(context: ExecutionContext, next: CallHandler): Observable<unknown> {
    const request = context.switchToHttp().getRequest<Request>();
    const response = context.switchToHttp().getResponse<Response>();
    const bytes = maxBytesOfImages(ImageRequestDto.sizeOf(request.body));
    const held = this.slots.bytesOfImages(attributionOf(request).organizationId, bytes);
    return heldUntilEnd(next.handle(), response, held);
  }
}
