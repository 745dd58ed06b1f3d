import { timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { createRequestSealer, EhbpError } from '../../../src/ehbp/index.ts'
import type { JsonValue } from '../../../src/verifier/strict-json.ts'
import { MalformedInput, type Outcome } from '../contract.ts'
import { hex, readInput, version1 } from './input.ts'

const REPORT_DATA = 64
const X25519_KEY = 32

const form = z.strictObject({
  schema_version: version1,
  report_data_hex: hex.refine(({ length }) => length === REPORT_DATA, 'report data is 64 bytes'),
  offered_hpke_public_key_hex: hex.refine(({ length }) => length === X25519_KEY, 'an X25519 key is 32 bytes'),
})

/** Accepts the transport's offered key only if it equals the key in the report. */
export function verifyEhbpKeyBinding(input: JsonValue): Outcome {
  const { report_data_hex: reportData, offered_hpke_public_key_hex: offered } = readInput(form, input)
  const attested = reportData.subarray(32)
  if (!timingSafeEqual(attested, offered)) return { kind: 'rejected', code: 'EHBP_KEY_BINDING_MISMATCH' }
  requireUsable(offered)
  return {
    kind: 'accepted',
    outputs: {
      attested_hpke_public_key_hex: attested.toString('hex'),
      tls_fingerprint_hex: reportData.subarray(0, 32).toString('hex'),
    },
  }
}

function requireUsable(key: Uint8Array): void {
  try {
    createRequestSealer(key)
  } catch (error) {
    if (error instanceof EhbpError && error.code === 'ehbp/key-invalid')
      throw new MalformedInput('no X25519 key')
    throw error
  }
}
