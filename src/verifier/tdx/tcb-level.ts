import type { SgxExtensions } from './sgx-extensions.ts'
import type { TcbInfo } from './statements.ts'

/**
 * Components of a TDX module's version in tee_tcb_svn. From major version 1 on, the module has its own TCB
 * levels.
 */
const MODULE_MINOR = 0
const MODULE_MAJOR = 1
const MODULE_COMPONENTS = 2

/** Returns Intel's identity of the module with this major version, or undefined if Intel lists none. */
export function moduleIdentityOf(
  { tdxModule, tdxModuleIdentities }: TcbInfo,
  teeTcbSvn: Uint8Array,
): ModuleIdentity | undefined {
  const major = teeTcbSvn[MODULE_MAJOR] ?? 0
  return major === 0 ? tdxModule : tdxModuleIdentities.find(({ id }) => id === major)
}

export type ModuleIdentity = TcbInfo['tdxModule'] & {
  readonly tcbLevels?: TcbInfo['tdxModuleIdentities'][number]['tcbLevels']
}

/**
 * Returns the status of the first level that the module reaches, or undefined if it reaches none. A module
 * before major version 1 has no levels of its own, because the machine's levels cover it.
 */
export function moduleStatus({ tcbLevels }: ModuleIdentity, teeTcbSvn: Uint8Array): string | undefined {
  return tcbLevels ? isvStatus(tcbLevels, teeTcbSvn[MODULE_MINOR] ?? 0) : 'UpToDate'
}

/** Intel lists levels from newest to oldest, so the first reached level counts. */
export function isvStatus(
  levels: readonly { readonly tcb: { readonly isvsvn: number }; readonly tcbStatus: string }[],
  isvSvn: number,
): string | undefined {
  return levels.find(({ tcb }) => tcb.isvsvn <= isvSvn)?.tcbStatus
}

/**
 * Returns the status of the first level that the machine reaches in each SGX component, in PCESVN and in each
 * TDX component. Skips the components of a module with its own levels. Returns undefined if the machine
 * reaches no level.
 */
export function platformStatus(
  { tcbLevels }: TcbInfo,
  { components, pceSvn }: SgxExtensions,
  teeTcbSvn: Uint8Array,
): string | undefined {
  const from = (teeTcbSvn[MODULE_MAJOR] ?? 0) > 0 ? MODULE_COMPONENTS : 0
  return tcbLevels.find(
    ({ tcb }) =>
      pceSvn >= tcb.pcesvn &&
      reaches(components, tcb.sgxtcbcomponents, 0) &&
      reaches([...teeTcbSvn], tcb.tdxtcbcomponents, from),
  )?.tcbStatus
}

function reaches(versions: readonly number[], floor: readonly number[], from: number): boolean {
  return floor.every((least, index) => index < from || (versions[index] ?? -1) >= least)
}
