import { PartialType } from '@nestjs/swagger';
import { ContentDto } from '../../../posts/index.js';

/** Omitted fields stay unchanged. */
export class EditItemDto extends PartialType(ContentDto, { skipNullProperties: false }) {}
