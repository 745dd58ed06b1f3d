import type { JsonObject, JsonValue } from '../strict-json.ts'
import { integerIn, matchIn, MemberError, objectIn, objectOf, objectsIn, textIn } from '../json-members.ts'

/** A minimum security version of code, and Intel's status for code at that version. */
export interface IsvLevel {
  readonly tcb: { readonly isvsvn: number }
  /**
   * The unparsed status. An unknown status fails code at that level, but doesn't invalidate the statement.
   */
  readonly tcbStatus: string
}

/** Identifies the code that ran: lowercase hex, in the byte order of the report. */
export interface SignedCode {
  readonly mrsigner: string
  readonly attributes: string
  readonly attributesMask: string
}

/** TCB info (PCS API v4, GET /tdx/certification/v4/tcb), the member `tcbInfo`. Times are Unix ms. */
export interface TcbInfo {
  readonly id: string
  readonly version: number
  readonly issueDate: number
  readonly nextUpdate: number
  readonly fmspc: string
  readonly pceId: string
  readonly tcbEvaluationDataNumber: number
  readonly tdxModule: SignedCode
  /** By the major version of the module, without duplicates. */
  readonly tdxModuleIdentities: readonly (SignedCode & {
    readonly id: number
    readonly tcbLevels: readonly IsvLevel[]
  })[]
  readonly tcbLevels: readonly {
    readonly tcb: {
      readonly sgxtcbcomponents: readonly number[]
      readonly pcesvn: number
      readonly tdxtcbcomponents: readonly number[]
    }
    readonly tcbStatus: string
  }[]
}
export const TCB_INFO_ID = 'TDX'
export const TCB_INFO_VERSION = 3

/** The identity of the quoting enclave (GET /tdx/certification/v4/qe/identity), the member `enclaveIdentity`. */
export interface QeIdentity extends SignedCode {
  readonly id: string
  readonly version: number
  readonly issueDate: number
  readonly nextUpdate: number
  readonly tcbEvaluationDataNumber: number
  readonly miscselect: string
  readonly miscselectMask: string
  readonly isvprodid: number
  readonly tcbLevels: readonly IsvLevel[]
}
export const QE_IDENTITY_ID = 'TD_QE'
export const QE_IDENTITY_VERSION = 2

const MAX_ID = 64
const MAX_STATUS = 64
const MAX_LEVELS = 256
const MAX_MODULES = 64
const COMPONENTS = 16
const SVN_8 = 0xff
const SVN_16 = 0xffff
const MAX_NUMBER = 0x7fffffff

/**
 * Ignores unknown members: Intel signs the statement, and its version defines the meaning of the known
 * members. Throws MemberError.
 */
export function tcbInfoOf(value: JsonValue): TcbInfo {
  const info = objectOf(value, 'tcbInfo')
  // The only type that is defined.
  if (integerIn(info, 'tcbType', 0) !== 0) throw new MemberError('tcbType')
  return {
    ...headOf(info),
    fmspc: hexIn(info, 'fmspc', 6),
    pceId: hexIn(info, 'pceId', 2),
    tdxModule: signedCodeOf(objectIn(info, 'tdxModule'), 48, 8),
    tdxModuleIdentities: modulesOf(info),
    tcbLevels: levelsIn(info, ({ tcb, tcbStatus }) => ({
      tcb: {
        sgxtcbcomponents: componentsIn(tcb, 'sgxtcbcomponents'),
        pcesvn: integerIn(tcb, 'pcesvn', SVN_16),
        tdxtcbcomponents: componentsIn(tcb, 'tdxtcbcomponents'),
      },
      tcbStatus,
    })),
  }
}

/** Ignores unknown members like `tcbInfoOf`. Throws MemberError. */
export function qeIdentityOf(value: JsonValue): QeIdentity {
  const identity = objectOf(value, 'enclaveIdentity')
  return {
    ...headOf(identity),
    ...signedCodeOf(identity, 32, 16),
    miscselect: hexIn(identity, 'miscselect', 4),
    miscselectMask: hexIn(identity, 'miscselectMask', 4),
    isvprodid: integerIn(identity, 'isvprodid', SVN_16),
    tcbLevels: isvLevelsIn(identity),
  }
}

function headOf(
  statement: JsonObject,
): Pick<TcbInfo & QeIdentity, 'id' | 'version' | 'issueDate' | 'nextUpdate' | 'tcbEvaluationDataNumber'> {
  return {
    id: textIn(statement, 'id', MAX_ID),
    version: integerIn(statement, 'version', MAX_NUMBER),
    issueDate: timeIn(statement, 'issueDate'),
    nextUpdate: timeIn(statement, 'nextUpdate'),
    tcbEvaluationDataNumber: integerIn(statement, 'tcbEvaluationDataNumber', MAX_NUMBER),
  }
}

function signedCodeOf(code: JsonObject, signerBytes: number, attributesBytes: number): SignedCode {
  return {
    mrsigner: hexIn(code, 'mrsigner', signerBytes),
    attributes: hexIn(code, 'attributes', attributesBytes),
    attributesMask: hexIn(code, 'attributesMask', attributesBytes),
  }
}

function modulesOf(info: JsonObject): TcbInfo['tdxModuleIdentities'] {
  const modules = objectsIn(info, 'tdxModuleIdentities', MAX_MODULES).map((module) => ({
    id: Number.parseInt(matchIn(module, 'id', /^TDX_[0-9a-fA-F]{2}$/).slice(4), 16),
    ...signedCodeOf(module, 48, 8),
    tcbLevels: isvLevelsIn(module),
  }))
  if (new Set(modules.map(({ id }) => id)).size !== modules.length)
    throw new MemberError('tdxModuleIdentities')
  return modules
}

function isvLevelsIn(object: JsonObject): IsvLevel[] {
  return levelsIn(object, ({ tcb, tcbStatus }) => ({
    tcb: { isvsvn: integerIn(tcb, 'isvsvn', SVN_16) },
    tcbStatus,
  }))
}

function levelsIn<T>(
  object: JsonObject,
  read: (level: { readonly tcb: JsonObject; readonly tcbStatus: string }) => T,
): T[] {
  const levels = objectsIn(object, 'tcbLevels', MAX_LEVELS)
  if (levels.length === 0) throw new MemberError('tcbLevels')
  return levels.map((level) =>
    read({ tcb: objectIn(level, 'tcb'), tcbStatus: textIn(level, 'tcbStatus', MAX_STATUS) }),
  )
}

function componentsIn(tcb: JsonObject, name: string): number[] {
  const components = objectsIn(tcb, name, COMPONENTS)
  if (components.length !== COMPONENTS) throw new MemberError(name)
  return components.map((component) => integerIn(component, 'svn', SVN_8))
}

const HEX = /^[0-9a-fA-F]*$/

function hexIn(object: JsonObject, name: string, bytes: number): string {
  const digits = matchIn(object, name, HEX)
  if (digits.length !== bytes * 2) throw new MemberError(name)
  return digits.toLowerCase()
}

/** ISO 8601 in UTC, to the second, as Unix ms. */
function timeIn(object: JsonObject, name: string): number {
  const text = matchIn(object, name, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  const at = Date.parse(text)
  // Date.parse reads February 30 as a day of March.
  if (Number.isNaN(at) || new Date(at).toISOString() !== text.replace('Z', '.000Z'))
    throw new MemberError(name)
  return at
}
