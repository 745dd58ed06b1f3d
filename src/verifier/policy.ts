/** The platforms, as members of a policy, in the order in which evidence is tried and shown. */
export const platforms = ['sevSnp', 'tdx', 'nitro'] as const
export type Platform = (typeof platforms)[number]

export const sevProducts = ['Genoa', 'Turin', 'Milan'] as const
export type SevProduct = (typeof sevProducts)[number]

/** AMD's security patch levels, each from 0 to 255. Only Turin has `fmc`. */
export interface Tcb {
  readonly fmc?: number | undefined
  readonly bootloader: number
  readonly tee: number
  readonly snp: number
  readonly microcode: number
}

/** How the memory of a machine must be set up. */
export interface SevPlatformRule {
  readonly requireTsme: boolean
  readonly requireEcc: boolean
  readonly requireAliasCheck: boolean
  /** PLATFORM_INFO exactly, in hex, if the publisher states it. */
  readonly info?: string | undefined
}

interface FirmwareApi {
  readonly major: number
  readonly minor: number
}

interface SevProductRule {
  readonly minimumTcb: Tcb
  /** The TCB that genuine machines report. An accepted machine below it gets a notice. */
  readonly expectedTcb?: Tcb | undefined
  /** A person accepted the provider's lower floor, and `minimumTcb` is that floor. */
  readonly providerFloorAccepted?: true | undefined
  readonly minimumBuild?: number | undefined
  readonly minimumApi?: FirmwareApi | undefined
  /** 8 bytes in hex. Each of these bits must be set in both mitigation vectors. */
  readonly requiredMitigations?: string | undefined
  readonly platform?: SevPlatformRule | undefined
}

/** Rules for AMD SEV-SNP. Hex is lowercase. */
export interface SevPolicy {
  /** Only these products are accepted. */
  readonly products: { readonly [product in SevProduct]?: SevProductRule }
  readonly minimumBuild: number
  readonly minimumApi: FirmwareApi
  readonly guest: {
    readonly allowSmt: boolean
    readonly allowSingleSocketOnly: boolean
    /** POLICY exactly, 8 bytes in hex, if the publisher states it. */
    readonly policy?: string | undefined
  }
  /** Fields that the guest's owner can set. They are zero unless the publisher uses them. */
  readonly identity: {
    readonly guestSvn: number
    readonly hostData: string
    readonly familyId: string
    readonly imageId: string
    readonly idKeyDigest: string
    readonly authorKeyDigest: string
  }
  readonly platform: SevPlatformRule
  /** The only accepted privilege level, 0 to 3. */
  readonly vmpl: number
}

/** Intel's names for TCB states (PCS API v4, tcbStatus, and its quote verification library). */
export const tcbStatuses = [
  'UpToDate',
  'SWHardeningNeeded',
  'ConfigurationNeeded',
  'ConfigurationAndSWHardeningNeeded',
  'OutOfDate',
  'OutOfDateConfigurationNeeded',
  'TDRelaunchAdvised',
  'TDRelaunchAdvisedConfigurationNeeded',
  'Revoked',
] as const
export type TcbStatus = (typeof tcbStatuses)[number]

/** Who must have built a release: a workflow of this GitHub repository (`owner/name`). */
export interface CodePolicy {
  readonly repository: string
  readonly oidcIssuer: string
  /** The prefix of the ref that the workflow ran on. */
  readonly refPrefix: string
  readonly runnerEnvironment: string
  readonly predicateTypes: readonly string[]
}

/** Only this workflow of the repository counts: its path below the root. */
export interface WorkflowPolicy extends CodePolicy {
  readonly workflow: string
}

/** Rules for Intel TDX. Registers are lowercase hex. */
export interface TdxPolicy {
  /** The minimum of each of the 16 components of the TEE's TCB. */
  readonly minimumTeeTcbSvn: string
  readonly tdAttributes: string
  readonly xfam: string
  /** Accepted measurements of Intel's TDX module. */
  readonly mrSeam: readonly string[]
  readonly mrConfigId: string
  readonly mrOwner: string
  readonly mrOwnerConfig: string
  readonly minimumTcbEvaluationDataNumber: number
  readonly tcbStatuses: readonly Exclude<TcbStatus, 'Revoked'>[]
  /** Who may sign the list of virtual hardware (MRTD and RTMR0). */
  readonly hardware: CodePolicy
}

/** Rules for AWS Nitro: the accepted images. A PCR that an image leaves out may have any value. */
export interface NitroPolicy {
  readonly images: readonly {
    readonly pcr0: string
    readonly pcr1?: string | undefined
    readonly pcr2?: string | undefined
  }[]
}

/** Rules for document v3, which is created for our nonce. */
export interface NonceBoundPolicy {
  readonly platformEndorsements: WorkflowPolicy
  readonly freshnessWitness: WorkflowPolicy
  /** Evidence without a good document v3 is refused. Otherwise only a bad document refuses it. */
  readonly required: boolean
}

/** If one platform has pins, a platform without pins is refused. */
interface PinnedMeasurements {
  readonly sevSnp?: readonly string[] | undefined
  readonly tdx?:
    | readonly Partial<Readonly<Record<'mrtd' | 'rtmr0' | 'rtmr1' | 'rtmr2', string | undefined>>>[]
    | undefined
  readonly nitro?:
    | readonly Partial<Readonly<Record<'pcr0' | 'pcr1' | 'pcr2', string | undefined>>>[]
    | undefined
}

/**
 * The properties that an enclave must prove. A platform without rules isn't accepted. The verifier doesn't
 * validate a policy: the caller parses it first, because a policy is trusted data.
 */
export interface AttestationPolicy {
  readonly enclaveHost: string
  /** Suffix of the certificate's labels: `NN<base32>.hpke.<suffix>`. */
  readonly certificateLabelSuffix: string
  readonly sevSnp?: SevPolicy | undefined
  readonly tdx?: TdxPolicy | undefined
  readonly nitro?: NitroPolicy | undefined
  readonly code: CodePolicy
  /** Absent if the enclave doesn't answer a nonce with document v3. */
  readonly nonceBound?: NonceBoundPolicy | undefined
  /** RFC 3339. Releases that were logged before are refused. */
  readonly minimumLogTime?: string | undefined
  readonly pinnedMeasurements?: PinnedMeasurements | undefined
  readonly pinnedRelease?:
    | { readonly tags?: readonly string[] | undefined; readonly digests?: readonly string[] | undefined }
    | undefined
}

/** Whether a person lowered a floor of the policy. */
export function hasAcceptedFloor({ sevSnp }: AttestationPolicy): boolean {
  return Object.values(sevSnp?.products ?? {}).some(
    ({ providerFloorAccepted }) => providerFloorAccepted === true,
  )
}

/**
 * Why an image of the service's enclave is accepted: its record names it, a person approved it, or a signed
 * statement names it.
 */
export const imageRules = ['published', 'approved', 'proven'] as const
export type ImageRule = (typeof imageRules)[number]

/** Rules for the build record of the service's enclave. */
export interface ServiceEnclavePolicy {
  readonly provenance: WorkflowPolicy
}
