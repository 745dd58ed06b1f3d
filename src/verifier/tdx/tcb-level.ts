import type { SgxExtensions } from './sgx-extensions.ts'
import type { TcbInfo } from './statements.ts'

/** The components of a TDX module's version in tee_tcb_svn: from major version 1 on, the module has TCB levels of its own. */
const MODULE_MINOR = 0
const MODULE_MAJOR = 1
const MODULE_COMPONENTS = 2

/** What Intel says of the module with this major version; undefined where it says nothing. */
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
 * The status of the first level that the module reaches, undefined where it reaches none. A module before major version 1 has no levels
 * of its own: the machine's say of it what there is to say.
 */
export function moduleStatus({ tcbLevels }: ModuleIdentity, teeTcbSvn: Uint8Array): string | undefined {
  return tcbLevels ? isvStatus(tcbLevels, teeTcbSvn[MODULE_MINOR] ?? 0) : 'UpToDate'
}

/** Intel lists levels from the newest to the oldest: the first that is reached counts. */
export function isvStatus(
  levels: readonly { readonly tcb: { readonly isvsvn: number }; readonly tcbStatus: string }[],
  isvSvn: number,
): string | undefined {
  return levels.find(({ tcb }) => tcb.isvsvn <= isvSvn)?.tcbStatus
}

/**
 * The status of the first level that the machine reaches in each SGX component, in PCESVN and in each TDX component; those of a module
 * that has levels of its own are left out. Undefined where it reaches none.
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
