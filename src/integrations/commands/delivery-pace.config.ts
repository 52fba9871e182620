import { IsInt, IsNumber, Max, Min } from 'class-validator';
import { Env } from '#libs/config';

/** How often and how fast a network is asked again. */
export class DeliveryPaceConfig {
  @Env('DELIVERY_CALLS', {
    description: 'Calls within one publish attempt, as long as each had provably no effect (1 to 10).',
    default: '3',
  })
  @IsInt()
  @Min(1)
  @Max(10)
  calls!: number;

  @Env('DELIVERY_WAIT_SCALE', {
    description:
      'Factor on every wait between such calls (0 to 10; below 1 only where the network is a stand-in).',
    default: '1',
  })
  @IsNumber()
  @Min(0)
  @Max(10)
  waitScale!: number;
}
