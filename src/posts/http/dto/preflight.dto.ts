import { ApiProperty } from '@nestjs/swagger';
import type { Finding } from '#libs/content';

export class FindingDto {
  @ApiProperty({ description: 'Stable name of the rule.', example: 'x.text.too-long' })
  ruleId!: string;

  @ApiProperty({
    description: 'A post with an `error` cannot be published.',
    enum: ['error', 'warning'],
    example: 'error',
  })
  severity!: 'error' | 'warning';

  @ApiProperty({ example: 'The text is longer than the network takes.' })
  message!: string;

  @ApiProperty({ description: 'JSON pointer into the post.', example: '#/text' })
  pointer!: string;

  static of({ ruleId, severity, message, pointer }: Finding): FindingDto {
    return { ruleId, severity, message, pointer };
  }
}

export class PreflightResultDto {
  @ApiProperty({
    description: 'Whether the network would accept the post: no finding is an error.',
    example: false,
  })
  publishable!: boolean;

  @ApiProperty({ type: () => [FindingDto] })
  findings!: FindingDto[];

  static of(findings: readonly Finding[]): PreflightResultDto {
    return {
      publishable: findings.every(({ severity }) => severity !== 'error'),
      findings: findings.map((finding) => FindingDto.of(finding)),
    };
  }
}
