import type { Profile } from '../shared/profile.ts'

/** Names under .example (RFC 2606): they can belong to nobody. */
export const enclaveHost = 'enclave.sotto-sandbox.example'
export const certificateLabelSuffix = 'sotto-sandbox.example'
export const repository = 'sotto-sandbox/enclave'
export const oidcIssuer = 'https://token.actions.githubusercontent.com'
export const predicateType = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'
export const privatePath = '/private'

/** The sandbox as a service profile; its policy asks for everything that its enclave is able to prove. */
export function sandboxProfile(baseUrl: string): Profile {
  return {
    id: 'sandbox',
    name: 'Sandbox',
    kind: 'sandbox',
    baseUrl,
    revision: 'B',
    lightningNetwork: 'regtest',
    privatePath,
    policy: {
      enclaveHost,
      certificateLabelSuffix,
      sevSnp: {
        products: { Genoa: { minimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 } } },
        minimumBuild: 21,
        minimumApi: { major: 1, minor: 55 },
        guest: { allowSmt: true, allowSingleSocketOnly: true },
        platform: { requireTsme: true, requireEcc: true, requireAliasCheck: true },
        vmpl: 0,
      },
      code: {
        repository,
        oidcIssuer,
        refPrefix: 'refs/tags/',
        runnerEnvironment: 'github-hosted',
        predicateTypes: [predicateType],
      },
    },
  }
}
