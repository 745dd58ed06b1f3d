import { createHash } from 'node:crypto'

/** What the sandbox's trust domains, and the policy that judges them, have in common. */

/** TD_ATTRIBUTES: SEPT_VE_DISABLE alone. */
export const tdAttributes = Buffer.from('0000001000000000', 'hex')
export const xfam = Buffer.from('e702060000000000', 'hex')

/** Stands for Intel's measurement of its TDX module. */
export const mrSeam = createHash('sha384').update('sotto-sandbox tdx module').digest()

/** Counts Intel's evaluations of its platforms; information from before the newest one is still signed and dated. */
export const evaluationNumber = 19
