import { PartialType } from '@nestjs/swagger';
import { ContentDto } from '../../posts/index.js';

/** What is sent changes, what is not stays. */
export class EditItemDto extends PartialType(ContentDto, { skipNullProperties: false }) {}
