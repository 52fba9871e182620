import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Request, Response } from 'express';
import { abortOnDisconnect, idempotencyKey, type ResponseSaver, scopedKey } from '#libs/http';
import { GenerateImage, type Requester } from '../commands/generate-image.js';
import { GeneratedImageDto, type GenerateImageDto } from './dto/generate-image.dto.js';

export interface ImageExchange {
  readonly request: Request;
  readonly response: Response;
  readonly save: ResponseSaver;
}

/** The part that the public and the internal route share. */
@Injectable()
export class GeneratedImages {
  constructor(private readonly commands: CommandBus) {}

  /**
   * A request with an Idempotency-Key is finished without its client, and its response is stored with the file; another one ends when
   * the client leaves.
   */
  async generate(
    { request, response, save }: ImageExchange,
    requester: Requester,
    brandId: string,
    { prompt, model, width, height, quality, format }: GenerateImageDto,
  ): Promise<GeneratedImageDto> {
    const key = idempotencyKey(request);
    const generated = await this.commands.execute(
      new GenerateImage({
        brandId,
        requester,
        model,
        image: { prompt, width, height, quality, format },
        // The gateway knows keys by organization only: two people may choose the same.
        idempotencyKey: key === undefined ? undefined : scopedKey(request, key).toString('hex'),
        left: key === undefined ? abortOnDisconnect(response) : undefined,
        alongside: (executor, stored) => {
          response.location(addressOf(stored.file.id));
          return save(executor, GeneratedImageDto.of(brandId, stored));
        },
      }),
    );
    response.location(addressOf(generated.file.id));
    return GeneratedImageDto.of(brandId, generated);
  }
}

const addressOf = (mediaId: string): string => `/api/media/${mediaId}`;
