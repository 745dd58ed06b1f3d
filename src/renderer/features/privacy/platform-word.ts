import type { Platform } from '../../../shared/policy/attestation-policy.ts'

export const platformWord: Readonly<Record<Platform, string>> = {
  sevSnp: 'AMD SEV-SNP',
  tdx: 'Intel TDX',
  nitro: 'AWS Nitro',
}
