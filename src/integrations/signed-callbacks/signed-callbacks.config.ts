import { IsInt, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class SignedCallbacksConfig {
  @Env('SIGNED_CALLBACK_MAX_AGE_SECONDS', {
    description:
      'Age at which deauthorize and data-deletion callbacks of networks are refused (0 to 2592000); 0 accepts any age.',
    default: '86400',
  })
  @IsInt()
  @Min(0)
  @Max(2_592_000)
  maxAgeSeconds!: number;
}
