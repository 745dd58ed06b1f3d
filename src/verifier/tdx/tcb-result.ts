import { z } from 'zod'
import { tcbStatuses, type TcbStatus, type TdxPolicy } from '../policy.ts'

/**
 * Intel's signed status for each part that a quote depends on. Undefined if the part reaches no level that
 * Intel lists.
 */
export interface TcbLevels {
  readonly module: string | undefined
  readonly machine: string | undefined
  readonly enclave: string | undefined
}
export type TcbPart = keyof TcbLevels

export type AcceptedStatus = TdxPolicy['tcbStatuses'][number]

export interface AcceptedTcb {
  readonly accepted: true
  /** The status of the machine's own level. */
  readonly tcbStatus: TcbStatus
  /** The combined status of machine, module and quoting enclave, which the policy accepts. */
  readonly resultingStatus: AcceptedStatus
}

export interface RefusedTcb {
  readonly accepted: false
  readonly blamed: TcbPart
  /** Intel's status that isn't accepted. Undefined if there is none. */
  readonly status: string | undefined
}

/**
 * Combines the three levels into one status, as Intel's quote verification library does, and compares it with
 * the policy. A part that is up to date never causes a refusal. A status that Intel doesn't define, or
 * doesn't define for such a part, isn't accepted.
 */
export function verifyTcb(
  levels: TcbLevels,
  acceptedStatuses: readonly AcceptedStatus[],
): AcceptedTcb | RefusedTcb {
  const tcbStatus = tcbStatuses.find((status) => status === levels.machine)
  const result = tcbStatus && converge(tcbStatus, [levels.module, levels.enclave])
  const resultingStatus = acceptedStatuses.find((status) => status === result)
  if (tcbStatus && resultingStatus) return { accepted: true, tcbStatus, resultingStatus }
  const blamed = partsInOrder.find((part) => !isAccepted(part, levels[part], acceptedStatuses))
  // If each part is acceptable separately, the machine is blamed, because the other parts change its status.
  return blamed
    ? { accepted: false, blamed, status: levels[blamed] }
    : { accepted: false, blamed: 'machine', status: result }
}

/** In the order in which the verdict checks them. */
const partsInOrder = ['module', 'machine', 'enclave'] as const satisfies readonly TcbPart[]

/**
 * The only statuses that Intel defines for modules and enclaves, because configuration concerns only the
 * machine.
 */
const partStatusSchema = z.enum(['UpToDate', 'OutOfDate', 'Revoked'])

function converge(machine: TcbStatus, parts: readonly (string | undefined)[]): TcbStatus | undefined {
  const statuses = parts.map((word) => partStatusSchema.safeParse(word).data)
  if (statuses.includes(undefined)) return undefined
  if (statuses.includes('Revoked')) return 'Revoked'
  return statuses.includes('OutOfDate') ? outOfDate[machine] : machine
}

/** A machine's status combined with an out-of-date part. A missing configuration stays part of the status. */
const outOfDate: Record<TcbStatus, TcbStatus> = {
  UpToDate: 'OutOfDate',
  SWHardeningNeeded: 'OutOfDate',
  ConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  ConfigurationAndSWHardeningNeeded: 'OutOfDateConfigurationNeeded',
  OutOfDate: 'OutOfDate',
  OutOfDateConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  TDRelaunchAdvised: 'OutOfDate',
  TDRelaunchAdvisedConfigurationNeeded: 'OutOfDateConfigurationNeeded',
  Revoked: 'Revoked',
}

function isAccepted(
  part: TcbPart,
  word: string | undefined,
  acceptedStatuses: readonly AcceptedStatus[],
): boolean {
  const known = part === 'machine' || partStatusSchema.safeParse(word).success
  return word === 'UpToDate' || (known && acceptedStatuses.some((status) => status === word))
}
