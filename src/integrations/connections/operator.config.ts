import { IsOptional, IsUUID } from 'class-validator';
import { Env } from '#libs/config';

/** Who operates the installation: decides what concerns the accounts of all organizations. */
export class OperatorConfig {
  @Env('OPERATOR_ORGANIZATION_ID', {
    description:
      'Id of the organization whose owners and admins operate this installation: they may end the hold of a network for all organizations. Unset: no caller may.',
  })
  @IsOptional()
  @IsUUID()
  organizationId?: string;
}
