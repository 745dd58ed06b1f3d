import { z } from 'zod'
import { tcbStatuses, type TcbStatus, type TdxPolicy } from '../policy.ts'

/** Intel's words for the levels of what a quote stands on, as they are signed. Undefined where one reaches no level that Intel lists. */
export interface TcbLevels {
  readonly module: string | undefined
  readonly machine: string | undefined
  readonly enclave: string | undefined
}
export type TcbPart = keyof TcbLevels

export type AcceptedStatus = TdxPolicy['tcbStatuses'][number]

export interface AcceptedTcb {
  readonly accepted: true
  /** Of the machine's own level. */
  readonly tcbStatus: TcbStatus
  /** Of machine, module and quoting enclave together: what the policy accepts. */
  readonly resultingStatus: AcceptedStatus
}

export interface RefusedTcb {
  readonly accepted: false
  readonly blamed: TcbPart
  /** Intel's word that is not accepted; undefined where there is none. */
  readonly status: string | undefined
}

/**
 * Brings the three levels together in one status, as Intel's quote verification library does, and holds that one to the policy: a part
 * that is up to date never stands in the way. A word that is none of Intel's, or that Intel does not say of such a part, is not accepted.
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
  // Where each would be accepted by itself, it is the machine whose status the others change.
  return blamed
    ? { accepted: false, blamed, status: levels[blamed] }
    : { accepted: false, blamed: 'machine', status: result }
}

/** As the plan takes them. */
const partsInOrder = ['module', 'machine', 'enclave'] as const satisfies readonly TcbPart[]

/** All that Intel says of its modules and enclaves: how a machine is set up is not theirs. */
const partStatusSchema = z.enum(['UpToDate', 'OutOfDate', 'Revoked'])

function converge(machine: TcbStatus, parts: readonly (string | undefined)[]): TcbStatus | undefined {
  const statuses = parts.map((word) => partStatusSchema.safeParse(word).data)
  if (statuses.includes(undefined)) return undefined
  if (statuses.includes('Revoked')) return 'Revoked'
  return statuses.includes('OutOfDate') ? outOfDate[machine] : machine
}

/** What becomes of a machine's status beside a part that is out of date: that its configuration is wanting stays said. */
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
