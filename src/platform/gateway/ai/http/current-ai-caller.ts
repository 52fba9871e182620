import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Caller } from '#libs/auth';
import { abortOnDisconnect } from '#libs/http';
import { attributionOf } from '../../access/current-access.js';
import type { AiCaller } from '../calls/admit/ai-requests.js';

/** People and API keys with it may choose a model; services always may. */
const CHOOSE_MODEL = 'org.admin';

/**
 * Who calls an AI route. A request with an Idempotency-Key is finished without its caller, so that its result can be replayed;
 * another one ends when the caller leaves.
 */
export const CurrentAiCaller = createParamDecorator((_: unknown, context: ExecutionContext): AiCaller => {
  const http = context.switchToHttp();
  const request = http.getRequest<Request & { user?: Caller }>();
  const attribution = attributionOf(request);
  const { user: caller } = request;
  const { organizationId } = attribution;
  const isService = request.header('x-service-token') !== undefined;
  return {
    attribution,
    mayChooseModel: isService || caller?.may(CHOOSE_MODEL, { organizationId }) === 'yes',
    left: hasKey(request) ? undefined : abortOnDisconnect(http.getResponse<Response>()),
  };
});

export const hasKey = (request: Request): boolean => request.headers['idempotency-key'] !== undefined;
