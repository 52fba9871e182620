import { IsNumber, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

export class DeliveryPaceConfig {
  /** Within one publish attempt; a call is repeated only if it provably had no effect. */
  calls = 3;

  @Env('DELIVERY_WAIT_SCALE', {
    description: 'Factor for every wait between such calls (0 to 10; below 1 only with the sandbox).',
    default: '1',
  })
  @IsNumber()
  @Min(0)
  @Max(10)
  waitScale!: number;
}
