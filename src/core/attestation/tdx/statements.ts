import { z } from 'zod'

/** Members that Intel adds to a statement are passed over: it is signed, and its version says how those here are to be understood. */

const hex = (bytes: number) => z.string().regex(new RegExp(`^[0-9a-fA-F]{${bytes * 2}}$`)).transform((text) => text.toLowerCase())

/** ISO 8601 in UTC, to the second, as Unix ms. */
const time = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/).transform((text, context) => {
  const at = Date.parse(text)
  // Date.parse takes the 30th of February for a day of March.
  if (!Number.isNaN(at) && new Date(at).toISOString() === text.replace('Z', '.000Z')) return at
  context.addIssue('not a time')
  return z.NEVER
})

const svn8 = z.int().min(0).max(0xff)
const svn16 = z.int().min(0).max(0xffff)
const evaluationNumber = z.int().min(0).max(0x7fffffff)
const components = z.array(z.object({ svn: svn8 }).transform(({ svn }) => svn)).length(16)
const MAX_LEVELS = 256
const MAX_MODULES = 64

/** By what the code that ran can be told, in the bytes of the report that it appears in. */
const signedCode = { mrsigner: hex(48), attributes: hex(8), attributesMask: hex(8) }

/** Left as it stands: a word that is not understood counts against who is at that level, and not against the statement. */
const tcbStatus = z.string().max(64)

const isvLevels = z.array(z.object({ tcb: z.object({ isvsvn: svn16 }), tcbStatus })).min(1).max(MAX_LEVELS)

/** TCB info (PCS API v4, GET /tdx/certification/v4/tcb), the member `tcbInfo`. */
export const tcbInfoForm = z.object({
  id: z.string(),
  version: z.int(),
  issueDate: time,
  nextUpdate: time,
  fmspc: hex(6),
  pceId: hex(2),
  tcbType: z.literal(0),
  tcbEvaluationDataNumber: evaluationNumber,
  tdxModule: z.object(signedCode),
  tdxModuleIdentities: z.array(z.object({
    id: z.string().regex(/^TDX_[0-9a-fA-F]{2}$/).transform((id) => Number.parseInt(id.slice(4), 16)),
    ...signedCode,
    tcbLevels: isvLevels,
  })).max(MAX_MODULES).refine((modules) => new Set(modules.map(({ id }) => id)).size === modules.length, 'a module twice').default([]),
  tcbLevels: z.array(z.object({
    tcb: z.object({ sgxtcbcomponents: components, pcesvn: svn16, tdxtcbcomponents: components }),
    tcbStatus,
  })).min(1).max(MAX_LEVELS),
})
export type TcbInfo = z.infer<typeof tcbInfoForm>
export const TCB_INFO_ID = 'TDX'
export const TCB_INFO_VERSION = 3

/** The identity of the quoting enclave (GET /tdx/certification/v4/qe/identity), the member `enclaveIdentity`. */
export const qeIdentityForm = z.object({
  id: z.string(),
  version: z.int(),
  issueDate: time,
  nextUpdate: time,
  tcbEvaluationDataNumber: evaluationNumber,
  miscselect: hex(4),
  miscselectMask: hex(4),
  attributes: hex(16),
  attributesMask: hex(16),
  mrsigner: hex(32),
  isvprodid: svn16,
  tcbLevels: isvLevels,
})
export type QeIdentity = z.infer<typeof qeIdentityForm>
export const QE_IDENTITY_ID = 'TD_QE'
export const QE_IDENTITY_VERSION = 2
