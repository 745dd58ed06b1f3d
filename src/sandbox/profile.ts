import type { NonceBoundPolicy } from '../shared/policy/code.ts'
import type { ServiceEnclavePolicy } from '../shared/policy/service-enclave.ts'
import type { Profile } from '../shared/profile.ts'
import { nitroImage } from './world/aws/document.ts'
import { evaluationNumber, mrSeam, tdAttributes, xfam } from './world/intel/quoting-enclave.ts'

/** One day, in ms. */
export const day = 24 * 3600_000

/** Names under .example (RFC 2606), which no one can own. */
export const enclaveHost = 'enclave.sotto-sandbox.example'
export const certificateLabelSuffix = 'sotto-sandbox.example'
export const repository = 'sotto-sandbox/enclave'
export const hardwareRepository = 'sotto-sandbox/hardware-measurements'
export const platformRepository = 'sotto-sandbox/platform-endorsements'
export const witnessRepository = 'sotto-sandbox/freshness-witness'
export const oidcIssuer = 'https://token.actions.githubusercontent.com'
export const predicateType = 'https://tinfoil.sh/predicate/snp-tdx-multiplatform/v1'
export const hardwarePredicateType = 'https://tinfoil.sh/predicate/hardware-measurements/v1'
export const platformPredicateType = 'https://tinfoil.sh/predicate/platform-endorsements/v1'
export const witnessPredicateType = 'https://tinfoil.sh/predicate/freshness-witness/v1'
export const privatePath = '/private'
/** The sandbox's price for one document. */
export const conversionPriceUsd = '0.01'
/** The path of the service's own enclave, and of the record of its images. */
export const serviceEnclavePath = '/service-enclave'
export const serviceEnclaveRepository = 'sotto-sandbox/service-enclave'

/** Who may sign a statement: the workflow of a repository, on a machine of GitHub's. */
function signedBy(repository: string, predicateType: string) {
  return {
    repository,
    oidcIssuer,
    refPrefix: 'refs/tags/',
    runnerEnvironment: 'github-hosted',
    predicateTypes: [predicateType],
  }
}

/**
 * How the sandbox's document v3 is fetched and verified: it comes from the sandbox's own server.
 * @param baseUrl `http://127.0.0.1:PORT`
 */
export function nonceBound(baseUrl: string): NonceBoundPolicy {
  return {
    origin: baseUrl,
    required: false,
    platformEndorsements: {
      ...signedBy(platformRepository, platformPredicateType),
      refPrefix: 'refs/tags/v',
      workflow: '.github/workflows/build.yml',
    },
    freshnessWitness: {
      ...signedBy(witnessRepository, witnessPredicateType),
      refPrefix: 'refs/heads/main',
      workflow: '.github/workflows/freshness.yml',
    },
  }
}

/**
 * How the sandbox's own enclave is reached and verified.
 * @param baseUrl `http://127.0.0.1:PORT`
 */
export function serviceEnclave(baseUrl: string): ServiceEnclavePolicy {
  return {
    baseUrl: `${baseUrl}${serviceEnclavePath}`,
    imageRecordUrl: `${baseUrl}${serviceEnclavePath}/published-pcr.json`,
    provenance: {
      ...signedBy(serviceEnclaveRepository, 'https://slsa.dev/provenance/v1'),
      refPrefix: 'refs/heads/main',
      workflow: '.github/workflows/enclave-build.yml',
    },
  }
}

const zeroRegister = '0'.repeat(96)

/** The sandbox as a service profile; its policy asks for everything that its enclave is able to prove. */
export function sandboxProfile(baseUrl: string): Profile {
  const { pcr0, pcr1, pcr2 } = nitroImage
  return {
    id: 'sandbox',
    name: 'Sandbox',
    kind: 'sandbox',
    baseUrl,
    revision: 'B',
    lightningNetwork: 'regtest',
    privatePath,
    documentConversion: { priceUsd: conversionPriceUsd },
    policy: {
      enclaveHost,
      certificateLabelSuffix,
      sevSnp: {
        products: { Genoa: { minimumTcb: { bootloader: 7, tee: 0, snp: 14, microcode: 72 } } },
        minimumBuild: 21,
        minimumApi: { major: 1, minor: 55 },
        guest: { allowSmt: true, allowSingleSocketOnly: true, policy: '0000000000030000' },
        platform: { requireTsme: true, requireEcc: true, requireAliasCheck: true, info: '0000000000000027' },
        identity: {
          guestSvn: 0,
          hostData: '00'.repeat(32),
          familyId: '00'.repeat(16),
          imageId: '00'.repeat(16),
          idKeyDigest: zeroRegister,
          authorKeyDigest: zeroRegister,
        },
        vmpl: 0,
      },
      tdx: {
        minimumTeeTcbSvn: '03010200000000000000000000000000',
        tdAttributes: tdAttributes.toString('hex'),
        xfam: xfam.toString('hex'),
        mrSeam: [mrSeam.toString('hex')],
        mrConfigId: zeroRegister,
        mrOwner: zeroRegister,
        mrOwnerConfig: zeroRegister,
        minimumTcbEvaluationDataNumber: evaluationNumber,
        tcbStatuses: ['UpToDate'],
        hardware: signedBy(hardwareRepository, hardwarePredicateType),
      },
      nitro: {
        images: [{ pcr0: pcr0.toString('hex'), pcr1: pcr1.toString('hex'), pcr2: pcr2.toString('hex') }],
      },
      code: signedBy(repository, predicateType),
      nonceBound: nonceBound(baseUrl),
    },
  }
}
